// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-gpu-stage-operands

// tile-gpu-select chooses no wgmma for these; a source may.
#l = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [8, 0]], lane = [[1, 0], [2, 0], [4, 0], [0, 0], [0, 0]], warp = [[16, 0], [32, 0]]>
#b = #tile_gpu.layout<register = [[0, 1], [0, 2], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [4, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
tile.func private @short(%a: tensor<64x8xf16, #l>, %b: tensor<8x16xf16, #b>, %c: tensor<64x16xf32, #acc>) attributes {tile_gpu.num_warps = 4 : i32} {
  // expected-error @below {{rows of 16 bytes are too short for wgmma's swizzles}}
  %d = tile.dot %a, %b, %c {tile_gpu.instruction = #tile_gpu.instruction<wgmma, 64, 16, 16>} : tensor<64x8xf16, #l>, tensor<8x16xf16, #b> -> tensor<64x16xf32, #acc>
  tile.return
}
