#include "tessera/Transforms/Passes.h"
using namespace mlir;
namespace {
struct Nop : PassWrapper<Nop, OperationPass<>> { StringRef getArgument() const override { return "nop"; } void runOnOperation() override {} };
}
namespace tessera {
#define STUB(N) __attribute__((weak)) std::unique_ptr<Pass> create##N() { return std::make_unique<Nop>(); }
STUB(TileDefaultLaunchPass) STUB(TileInlineCallsPass) STUB(TileWidenOffsetsPass) STUB(TileSpecializePass) STUB(TileGPUSelectPass)
__attribute__((weak)) std::unique_ptr<Pass> createTileSpecializePass(TileSpecializePassOptions) { return std::make_unique<Nop>(); }
}
