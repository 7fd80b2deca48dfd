// y[0] = 0 + 1 + ... + (n - 1), or 0 where n is less than 4.
tile.func @sum(%y: !tile.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  %enough, %sum = scf.execute_region -> (i1, i32) {
    %s = scf.for %i = %zero to %n step %one iter_args(%acc = %zero) -> (i32) : i32 {
      %next = arith.addi %acc, %i : i32
      scf.yield %next : i32
    }
    %c = arith.cmpi sge, %n, %four : i32
    scf.yield %c, %s : i1, i32
  }
  %result = arith.select %enough, %sum, %zero : i32
  tile.store %y, %result : !tile.ptr<i32>
  tile.return
}

tile.launch @entry(%y: !tile.ptr<i32>, %n: i32) {
  %programs = tile.plan.constant 1
  tile.plan.dispatch @sum grid(%programs : i64) args(%y, %n) : !tile.ptr<i32>, i32
}
