tile.func @print(%n: i32) {
  tile.print "n", %n : i32
  tile.return
}
