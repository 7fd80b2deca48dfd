// RUN: not tile-opt %s --tile-gpu-assign-stages=num-stages=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tile-opt %s --tile-gpu-assign-stages=num-stages=65 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: tile-opt %s --tile-gpu-assign-stages=num-stages=64 -o /dev/null

// NEGATIVE: [[@LINE+2]]:1: error: the number of stages has to be from 1 to 64, not -1
// MANY: [[@LINE+1]]:1: error: the number of stages has to be from 1 to 64, not 65
tile.func @options(%n: i32) {
  tile.return
}
