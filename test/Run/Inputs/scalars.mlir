// Stores its scalars, one tensor for each type. No launch plan: --grid decides.
tile.func @scalars(%i: i32, %l: i64, %s: i8, %b: i1, %f: f32, %h: f16,
                   %pi: !tile.ptr<i32>, %pl: !tile.ptr<i64>, %ps: !tile.ptr<i8>,
                   %pb: !tile.ptr<i1>, %pf: !tile.ptr<f32>,
                   %ph: !tile.ptr<f16>, %grid: !tile.ptr<i32>) {
  tile.store %pi, %i : !tile.ptr<i32>
  tile.store %pl, %l : !tile.ptr<i64>
  tile.store %ps, %s : !tile.ptr<i8>
  tile.store %pb, %b : !tile.ptr<i1>
  tile.store %pf, %f : !tile.ptr<f32>
  tile.store %ph, %h : !tile.ptr<f16>
  %x = tile.num_programs x
  %y = tile.num_programs y
  %ten = arith.constant 10 : i32
  %tens = arith.muli %x, %ten : i32
  %both = arith.addi %tens, %y : i32
  tile.store %grid, %both : !tile.ptr<i32>
  tile.return
}
