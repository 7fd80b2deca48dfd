// RUN: tile-opt %s --split-input-file --verify-diagnostics

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
tile.func private @contraction(%a: !tile_gpu.buffer<64x32xf16, #sa>, %b: !tile_gpu.buffer<64x32xf16, #sa>,
    %c: tensor<64x16xf32, #acc>) {
  // expected-error-re @below {{times '!tile_gpu.buffer<64x32xf16, {{.*}}>' is not 'tensor<64x16xf32,}}
  %d = tile_gpu.wgmma %a, %b, %c : !tile_gpu.buffer<64x32xf16, #sa>, !tile_gpu.buffer<64x32xf16, #sa> -> tensor<64x16xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
tile.func private @result_rows(%a: !tile_gpu.buffer<64x32xf16, #sa>, %b: !tile_gpu.buffer<32x16xf16, #sb>,
    %c: tensor<128x16xf32, #acc>) {
  // expected-error @below {{is not 'tensor<128x16xf32,}}
  %d = tile_gpu.wgmma %a, %b, %c : !tile_gpu.buffer<64x32xf16, #sa>, !tile_gpu.buffer<32x16xf16, #sb> -> tensor<128x16xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
tile.func private @result_columns(%a: !tile_gpu.buffer<64x32xf16, #sa>, %b: !tile_gpu.buffer<32x16xf16, #sb>,
    %c: tensor<64x8xf32, #acc>) {
  // expected-error @below {{is not 'tensor<64x8xf32,}}
  %d = tile_gpu.wgmma %a, %b, %c : !tile_gpu.buffer<64x32xf16, #sa>, !tile_gpu.buffer<32x16xf16, #sb> -> tensor<64x8xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[1], [2], [4], [8], [16]]>
tile.func private @operand_rank(%a: !tile_gpu.buffer<64x32xf16, #sa>, %b: !tile_gpu.buffer<32xf16, #sb>,
    %c: tensor<64x16xf32, #acc>) {
  // expected-error @below {{is not 'tensor<64x16xf32,}}
  %d = tile_gpu.wgmma %a, %b, %c : !tile_gpu.buffer<64x32xf16, #sa>, !tile_gpu.buffer<32xf16, #sb> -> tensor<64x16xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
tile.func private @rings(%a: !tile_gpu.buffer<64x32xf16, #sa, slots = 2>, %b: !tile_gpu.buffer<32x16xf16, #sb>,
    %c: tensor<64x16xf32, #acc>) {
  // expected-error @below {{'tile_gpu.wgmma' op reads one slot of a buffer}}
  %d = tile_gpu.wgmma %a, %b, %c : !tile_gpu.buffer<64x32xf16, #sa, slots = 2>, !tile_gpu.buffer<32x16xf16, #sb> -> tensor<64x16xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
tile.func private @not_swizzled(%a: !tile_gpu.buffer<64x32xf16, #sa>, %b: !tile_gpu.buffer<32x16xf16, #sb>,
    %c: tensor<64x16xf32, #acc>) {
  // expected-error @below {{'tile_gpu.wgmma' op a buffer is not swizzled as wgmma reads it}}
  %d = tile_gpu.wgmma %a, %b, %c : !tile_gpu.buffer<64x32xf16, #sa>, !tile_gpu.buffer<32x16xf16, #sb> -> tensor<64x16xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
tile.func private @not_swizzled_b(%a: !tile_gpu.buffer<64x32xf16, #sa>, %b: !tile_gpu.buffer<32x16xf16, #sb>,
    %c: tensor<64x16xf32, #acc>) {
  // expected-error @below {{'tile_gpu.wgmma' op a buffer is not swizzled as wgmma reads it}}
  %d = tile_gpu.wgmma %a, %b, %c : !tile_gpu.buffer<64x32xf16, #sa>, !tile_gpu.buffer<32x16xf16, #sb> -> tensor<64x16xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
tile.func private @mixed_operands(%a: !tile_gpu.buffer<64x32xf16, #sa>, %b: !tile_gpu.buffer<32x16xbf16, #sb>,
    %c: tensor<64x16xf32, #acc>) {
  // expected-error @below {{'tile_gpu.wgmma' op does not multiply 'f16' by 'bf16' into 'f32'}}
  %d = tile_gpu.wgmma %a, %b, %c : !tile_gpu.buffer<64x32xf16, #sa>, !tile_gpu.buffer<32x16xbf16, #sb> -> tensor<64x16xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
tile.func private @integers(%a: !tile_gpu.buffer<64x32xi16, #sa>, %b: !tile_gpu.buffer<32x16xi16, #sb>,
    %c: tensor<64x16xf32, #acc>) {
  // expected-error @below {{'tile_gpu.wgmma' op does not multiply 'i16' by 'i16' into 'f32'}}
  %d = tile_gpu.wgmma %a, %b, %c : !tile_gpu.buffer<64x32xi16, #sa>, !tile_gpu.buffer<32x16xi16, #sb> -> tensor<64x16xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
tile.func private @into_f16(%a: !tile_gpu.buffer<64x32xf16, #sa>, %b: !tile_gpu.buffer<32x16xf16, #sb>,
    %c: tensor<64x16xf16, #acc>) {
  // expected-error @below {{'tile_gpu.wgmma' op does not multiply 'f16' by 'f16' into 'f16'}}
  %d = tile_gpu.wgmma %a, %b, %c : !tile_gpu.buffer<64x32xf16, #sa>, !tile_gpu.buffer<32x16xf16, #sb> -> tensor<64x16xf16, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
tile.func private @group(%a: !tile_gpu.buffer<64x32xf16, #sa>, %b: !tile_gpu.buffer<32x16xf16, #sb>,
    %c: tensor<64x16xf32, #acc>) attributes {tile_gpu.num_warps = 2 : i32} {
  // expected-error @below {{wgmma needs warps in groups of 4, not 2}}
  %d = tile_gpu.wgmma %a, %b, %c : !tile_gpu.buffer<64x32xf16, #sa>, !tile_gpu.buffer<32x16xf16, #sb> -> tensor<64x16xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [0, 8], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sa = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0], [16, 0]]>
tile.func private @accumulators(%a: !tile_gpu.buffer<64x32xf16, #sa>, %b: !tile_gpu.buffer<32x16xf16, #sb>,
    %c: tensor<64x16xf32, #acc>) attributes {tile_gpu.num_warps = 4 : i32} {
  // expected-error @below {{'tile_gpu.wgmma' op the accumulators are not laid out as wgmma writes them}}
  %d = tile_gpu.wgmma %a, %b, %c : !tile_gpu.buffer<64x32xf16, #sa>, !tile_gpu.buffer<32x16xf16, #sb> -> tensor<64x16xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#rows = #tile_gpu.layout<register = [[0, 1], [0, 8], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
tile.func private @registers(%a: tensor<64x16xf16, #rows>, %b: !tile_gpu.buffer<16x16xf16, #sb>,
    %c: tensor<64x16xf32, #acc>) attributes {tile_gpu.num_warps = 4 : i32} {
  // expected-error @below {{'tile_gpu.wgmma' op A is not laid out as wgmma reads registers}}
  %d = tile_gpu.wgmma %a, %b, %c : tensor<64x16xf16, #rows>, !tile_gpu.buffer<16x16xf16, #sb> -> tensor<64x16xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#a = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
tile.func private @registers_shape(%a: tensor<64x32xf16, #a>, %b: !tile_gpu.buffer<16x16xf16, #sb>,
    %c: tensor<64x16xf32, #acc>) attributes {tile_gpu.num_warps = 4 : i32} {
  // expected-error @below {{is not 'tensor<64x16xf32,}}
  %d = tile_gpu.wgmma %a, %b, %c : tensor<64x32xf16, #a>, !tile_gpu.buffer<16x16xf16, #sb> -> tensor<64x16xf32, #acc>
  tile.return
}

// -----

#acc = #tile_gpu.layout<register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#sb = #tile_gpu.shared<[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0], [4, 8], [8, 0]]>
tile.func private @registers_depth(%a: tensor<64x16xf16, #acc>, %b: !tile_gpu.buffer<16x16xf16, #sb>,
    %c: tensor<64x16xf32, #acc>, %k: i32) attributes {tile_gpu.num_warps = 4 : i32} {
  // expected-error @below {{'tile_gpu.wgmma' op has a depth, and A in registers}}
  %d = tile_gpu.wgmma %a, %b, %c depth %k : tensor<64x16xf16, #acc>, !tile_gpu.buffer<16x16xf16, #sb> -> tensor<64x16xf32, #acc>
  tile.return
}
