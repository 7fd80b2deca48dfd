llvm.func @__nv_expf(f32) -> f32
llvm.func @k(%x: !llvm.ptr<1>, %a: f32) attributes {nvvm.kernel} {
  %r = llvm.call @__nv_expf(%a) : (f32) -> f32
  llvm.store %r, %x : f32, !llvm.ptr<1>
  llvm.return
}
