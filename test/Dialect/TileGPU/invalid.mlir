// RUN: tile-opt %s --split-input-file --verify-diagnostics

// Layouts.

// expected-error @below {{basis vectors differ in length}}
#l = #tile_gpu.layout<register = [[1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>

// -----

// expected-error @below {{basis vectors differ in length}}
#l = #tile_gpu.layout<register = [[]], lane = [[1], [2], [4], [8], [16]], warp = []>

// -----

// expected-error @below {{basis vectors differ in length}}
#l = #tile_gpu.layout<register = [], lane = [], warp = []>

// -----

// expected-error @below {{a basis vector has a negative coordinate}}
#l = #tile_gpu.layout<register = [[-1]], lane = [[1], [2], [4], [8], [16]], warp = []>

// -----

// expected-error @below {{integer value too large}}
#l = #tile_gpu.layout<register = [[2147483648]], lane = [[1], [2], [4], [8], [16]], warp = []>

// -----

// expected-error @below {{a layout needs 5 basis vectors for the lanes, not 4}}
#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8]], warp = []>

// -----

// expected-error @below {{a layout has at most 17 register and 5 warp bits}}
#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0], [0], [0], [0], [0]]>

// -----

// expected-error @below {{a layout has at most 17 register and 5 warp bits}}
#l = #tile_gpu.layout<register = [[0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0]], lane = [[1], [2], [4], [8], [16]], warp = []>

// -----

// A layout against the tensor that has it.

#l = #tile_gpu.layout<register = [], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>
// expected-error @below {{the layout has rank 2, the tensor 1}}
tile.func private @rank(%t: tensor<32xf32, #l>) {
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
// expected-error @below {{a basis vector lies outside the tensor}}
tile.func private @outside(%t: tensor<16xf32, #l>) {
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
// expected-error @below {{the layout leaves elements without a thread}}
tile.func private @uncovered(%t: tensor<64xf32, #l>) {
  tile.return
}

// -----

#l = #tile_gpu.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
// expected-error @below {{a tensor with a layout is invalid: dimension 0 is 48, not a static power of two}}
tile.func private @shape(%t: tensor<48xf32, #l>) {
  tile.return
}

// -----

#s = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
// expected-error @below {{#tile_gpu.shared is the layout of a buffer}}
tile.func private @shared(%t: tensor<32xf32, #s>) {
  tile.return
}

// -----

// Buffers.

// expected-error @below {{expected ','}}
#s = #tile_gpu.shared<[]>

// -----

// expected-error @below {{the rank of a buffer is positive}}
#s = #tile_gpu.shared<[], 0>

// -----

// expected-error @below {{the rank of a buffer is positive}}
#s = #tile_gpu.shared<[], -1>

// -----

// expected-error @below {{basis vectors differ in length}}
#s = #tile_gpu.shared<[[1], [1, 0]]>

// -----

// expected-error @below {{a basis vector has a negative coordinate}}
#s = #tile_gpu.shared<[[-1]]>

// -----

// expected-error @below {{a buffer has at most 17 offset bits}}
#s = #tile_gpu.shared<[[0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0]]>

// -----

// expected-error @below {{element type 'index' is not supported in a buffer}}
!b = !tile_gpu.buffer<2xindex, #tile_gpu.shared<[[1]]>>

// -----

// expected-error @below {{invalid buffer: dimension 0 is 3, not a static power of two}}
!b = !tile_gpu.buffer<3xf32, #tile_gpu.shared<[[1]]>>

// -----

// expected-error @below {{invalid buffer: a tensor needs at least one dimension}}
!b = !tile_gpu.buffer<f32, #tile_gpu.shared<[[1]]>>

// -----

// expected-error @below {{expected static shape}}
!b = !tile_gpu.buffer<?xf32, #tile_gpu.shared<[[1]]>>

// -----

// expected-error @below {{invalid buffer: it has more than 131072 elements}}
!b = !tile_gpu.buffer<4611686018427387904xf32, #tile_gpu.shared<[[1]]>>

// -----

// expected-error @below {{the layout has rank 1, the buffer 2}}
!b = !tile_gpu.buffer<2x1xf32, #tile_gpu.shared<[[1]]>>

// -----

// Two offsets with one element.
// expected-error @below {{the layout of a buffer has to be a bijection between offsets and coordinates}}
!b = !tile_gpu.buffer<4xf32, #tile_gpu.shared<[[1], [1]]>>

// -----

// A coordinate that the buffer does not have.
// expected-error @below {{the layout of a buffer has to be a bijection between offsets and coordinates}}
!b = !tile_gpu.buffer<4xf32, #tile_gpu.shared<[[1], [6]]>>

// -----

// expected-error @below {{the layout of a buffer has to be a bijection between offsets and coordinates}}
!b = !tile_gpu.buffer<4xf32, #tile_gpu.shared<[[1]]>>

// -----

// Accesses.

// expected-error @below {{the width of an access is a power of two from 1 to 16, not 3}}
#a = #tile_gpu.access<direct, width = 3, axis = 0>

// -----

// expected-error @below {{the width of an access is a power of two from 1 to 16, not 32}}
#a = #tile_gpu.access<direct, width = 32, axis = 0>

// -----

// expected-error @below {{the axis of an access is negative}}
#a = #tile_gpu.access<direct, width = 4, axis = -1>

// -----

// Instructions.

// expected-error @below {{an instruction's shape consists of powers of two up to 256, not 24}}
#i = #tile_gpu.instruction<mma_sync, 16, 24, 16>

// -----

// expected-error @below {{an instruction's shape consists of powers of two up to 256, not 0}}
#i = #tile_gpu.instruction<fma, 0, 1, 1>

// -----

// expected-error @below {{an instruction's shape consists of powers of two up to 256, not 512}}
#i = #tile_gpu.instruction<mma_sync, 512, 8, 16>
