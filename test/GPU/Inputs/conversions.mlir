// Conversions between element types, each of 1024 numbers, that
// test/GPU/conversions.py runs.

// 8-bit floats from wider ones, 1024 numbers of each type.
tile.func @to_fp8_kernel(%px32: !tile.ptr<f32>, %px16: !tile.ptr<f16>, %pxb: !tile.ptr<bf16>,
                         %px64: !tile.ptr<f64>, %to_x32_e4: !tile.ptr<f8E4M3FN>,
                         %to_x32_e5: !tile.ptr<f8E5M2>, %to_x16_e4: !tile.ptr<f8E4M3FN>,
                         %to_x16_e5: !tile.ptr<f8E5M2>, %to_xb_e4: !tile.ptr<f8E4M3FN>,
                         %to_xb_e5: !tile.ptr<f8E5M2>, %to_x64_e4: !tile.ptr<f8E4M3FN>,
                         %to_x64_e5: !tile.ptr<f8E5M2>) {
  %r = tile.arange : tensor<1024xi32>
  %x32s = tile.splat %px32 : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %x32p = tile.addptr %x32s, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %x32 = tile.load %x32p : tensor<1024x!tile.ptr<f32>>
  %x16s = tile.splat %px16 : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>>
  %x16p = tile.addptr %x16s, %r : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  %x16 = tile.load %x16p : tensor<1024x!tile.ptr<f16>>
  %xbs = tile.splat %pxb : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %xbp = tile.addptr %xbs, %r : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  %xb = tile.load %xbp : tensor<1024x!tile.ptr<bf16>>
  %x64s = tile.splat %px64 : !tile.ptr<f64> -> tensor<1024x!tile.ptr<f64>>
  %x64p = tile.addptr %x64s, %r : tensor<1024x!tile.ptr<f64>>, tensor<1024xi32>
  %x64 = tile.load %x64p : tensor<1024x!tile.ptr<f64>>
  %x32_e4 = tile.convert %x32 : tensor<1024xf32> -> tensor<1024xf8E4M3FN>
  %x32_e4d = tile.splat %to_x32_e4 : !tile.ptr<f8E4M3FN> -> tensor<1024x!tile.ptr<f8E4M3FN>>
  %x32_e4q = tile.addptr %x32_e4d, %r : tensor<1024x!tile.ptr<f8E4M3FN>>, tensor<1024xi32>
  tile.store %x32_e4q, %x32_e4 : tensor<1024x!tile.ptr<f8E4M3FN>>
  %x32_e5 = tile.convert %x32 : tensor<1024xf32> -> tensor<1024xf8E5M2>
  %x32_e5d = tile.splat %to_x32_e5 : !tile.ptr<f8E5M2> -> tensor<1024x!tile.ptr<f8E5M2>>
  %x32_e5q = tile.addptr %x32_e5d, %r : tensor<1024x!tile.ptr<f8E5M2>>, tensor<1024xi32>
  tile.store %x32_e5q, %x32_e5 : tensor<1024x!tile.ptr<f8E5M2>>
  %x16_e4 = tile.convert %x16 : tensor<1024xf16> -> tensor<1024xf8E4M3FN>
  %x16_e4d = tile.splat %to_x16_e4 : !tile.ptr<f8E4M3FN> -> tensor<1024x!tile.ptr<f8E4M3FN>>
  %x16_e4q = tile.addptr %x16_e4d, %r : tensor<1024x!tile.ptr<f8E4M3FN>>, tensor<1024xi32>
  tile.store %x16_e4q, %x16_e4 : tensor<1024x!tile.ptr<f8E4M3FN>>
  %x16_e5 = tile.convert %x16 : tensor<1024xf16> -> tensor<1024xf8E5M2>
  %x16_e5d = tile.splat %to_x16_e5 : !tile.ptr<f8E5M2> -> tensor<1024x!tile.ptr<f8E5M2>>
  %x16_e5q = tile.addptr %x16_e5d, %r : tensor<1024x!tile.ptr<f8E5M2>>, tensor<1024xi32>
  tile.store %x16_e5q, %x16_e5 : tensor<1024x!tile.ptr<f8E5M2>>
  %xb_e4 = tile.convert %xb : tensor<1024xbf16> -> tensor<1024xf8E4M3FN>
  %xb_e4d = tile.splat %to_xb_e4 : !tile.ptr<f8E4M3FN> -> tensor<1024x!tile.ptr<f8E4M3FN>>
  %xb_e4q = tile.addptr %xb_e4d, %r : tensor<1024x!tile.ptr<f8E4M3FN>>, tensor<1024xi32>
  tile.store %xb_e4q, %xb_e4 : tensor<1024x!tile.ptr<f8E4M3FN>>
  %xb_e5 = tile.convert %xb : tensor<1024xbf16> -> tensor<1024xf8E5M2>
  %xb_e5d = tile.splat %to_xb_e5 : !tile.ptr<f8E5M2> -> tensor<1024x!tile.ptr<f8E5M2>>
  %xb_e5q = tile.addptr %xb_e5d, %r : tensor<1024x!tile.ptr<f8E5M2>>, tensor<1024xi32>
  tile.store %xb_e5q, %xb_e5 : tensor<1024x!tile.ptr<f8E5M2>>
  %x64_e4 = tile.convert %x64 : tensor<1024xf64> -> tensor<1024xf8E4M3FN>
  %x64_e4d = tile.splat %to_x64_e4 : !tile.ptr<f8E4M3FN> -> tensor<1024x!tile.ptr<f8E4M3FN>>
  %x64_e4q = tile.addptr %x64_e4d, %r : tensor<1024x!tile.ptr<f8E4M3FN>>, tensor<1024xi32>
  tile.store %x64_e4q, %x64_e4 : tensor<1024x!tile.ptr<f8E4M3FN>>
  %x64_e5 = tile.convert %x64 : tensor<1024xf64> -> tensor<1024xf8E5M2>
  %x64_e5d = tile.splat %to_x64_e5 : !tile.ptr<f8E5M2> -> tensor<1024x!tile.ptr<f8E5M2>>
  %x64_e5q = tile.addptr %x64_e5d, %r : tensor<1024x!tile.ptr<f8E5M2>>, tensor<1024xi32>
  tile.store %x64_e5q, %x64_e5 : tensor<1024x!tile.ptr<f8E5M2>>
  tile.return
}

// 8-bit floats to every other type, each code four times.
tile.func @convert_fp8_kernel(%q4: !tile.ptr<f8E4M3FN>, %q5: !tile.ptr<f8E5M2>,
                              %to_a_f32: !tile.ptr<f32>, %to_a_f16: !tile.ptr<f16>,
                              %to_a_bf16: !tile.ptr<bf16>, %to_a_f64: !tile.ptr<f64>,
                              %to_a_f8E5M2: !tile.ptr<f8E5M2>, %to_b_f32: !tile.ptr<f32>,
                              %to_b_f16: !tile.ptr<f16>, %to_b_bf16: !tile.ptr<bf16>,
                              %to_b_f64: !tile.ptr<f64>, %to_b_f8E4M3FN: !tile.ptr<f8E4M3FN>) {
  %r = tile.arange : tensor<1024xi32>
  %as = tile.splat %q4 : !tile.ptr<f8E4M3FN> -> tensor<1024x!tile.ptr<f8E4M3FN>>
  %ap = tile.addptr %as, %r : tensor<1024x!tile.ptr<f8E4M3FN>>, tensor<1024xi32>
  %a = tile.load %ap : tensor<1024x!tile.ptr<f8E4M3FN>>
  %bs = tile.splat %q5 : !tile.ptr<f8E5M2> -> tensor<1024x!tile.ptr<f8E5M2>>
  %bp = tile.addptr %bs, %r : tensor<1024x!tile.ptr<f8E5M2>>, tensor<1024xi32>
  %b = tile.load %bp : tensor<1024x!tile.ptr<f8E5M2>>
  %a_f32 = tile.convert %a : tensor<1024xf8E4M3FN> -> tensor<1024xf32>
  %a_f32d = tile.splat %to_a_f32 : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %a_f32q = tile.addptr %a_f32d, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %a_f32q, %a_f32 : tensor<1024x!tile.ptr<f32>>
  %a_f16 = tile.convert %a : tensor<1024xf8E4M3FN> -> tensor<1024xf16>
  %a_f16d = tile.splat %to_a_f16 : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>>
  %a_f16q = tile.addptr %a_f16d, %r : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  tile.store %a_f16q, %a_f16 : tensor<1024x!tile.ptr<f16>>
  %a_bf16 = tile.convert %a : tensor<1024xf8E4M3FN> -> tensor<1024xbf16>
  %a_bf16d = tile.splat %to_a_bf16 : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %a_bf16q = tile.addptr %a_bf16d, %r : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  tile.store %a_bf16q, %a_bf16 : tensor<1024x!tile.ptr<bf16>>
  %a_f64 = tile.convert %a : tensor<1024xf8E4M3FN> -> tensor<1024xf64>
  %a_f64d = tile.splat %to_a_f64 : !tile.ptr<f64> -> tensor<1024x!tile.ptr<f64>>
  %a_f64q = tile.addptr %a_f64d, %r : tensor<1024x!tile.ptr<f64>>, tensor<1024xi32>
  tile.store %a_f64q, %a_f64 : tensor<1024x!tile.ptr<f64>>
  %a_f8E5M2 = tile.convert %a : tensor<1024xf8E4M3FN> -> tensor<1024xf8E5M2>
  %a_f8E5M2d = tile.splat %to_a_f8E5M2 : !tile.ptr<f8E5M2> -> tensor<1024x!tile.ptr<f8E5M2>>
  %a_f8E5M2q = tile.addptr %a_f8E5M2d, %r : tensor<1024x!tile.ptr<f8E5M2>>, tensor<1024xi32>
  tile.store %a_f8E5M2q, %a_f8E5M2 : tensor<1024x!tile.ptr<f8E5M2>>
  %b_f32 = tile.convert %b : tensor<1024xf8E5M2> -> tensor<1024xf32>
  %b_f32d = tile.splat %to_b_f32 : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %b_f32q = tile.addptr %b_f32d, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %b_f32q, %b_f32 : tensor<1024x!tile.ptr<f32>>
  %b_f16 = tile.convert %b : tensor<1024xf8E5M2> -> tensor<1024xf16>
  %b_f16d = tile.splat %to_b_f16 : !tile.ptr<f16> -> tensor<1024x!tile.ptr<f16>>
  %b_f16q = tile.addptr %b_f16d, %r : tensor<1024x!tile.ptr<f16>>, tensor<1024xi32>
  tile.store %b_f16q, %b_f16 : tensor<1024x!tile.ptr<f16>>
  %b_bf16 = tile.convert %b : tensor<1024xf8E5M2> -> tensor<1024xbf16>
  %b_bf16d = tile.splat %to_b_bf16 : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %b_bf16q = tile.addptr %b_bf16d, %r : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  tile.store %b_bf16q, %b_bf16 : tensor<1024x!tile.ptr<bf16>>
  %b_f64 = tile.convert %b : tensor<1024xf8E5M2> -> tensor<1024xf64>
  %b_f64d = tile.splat %to_b_f64 : !tile.ptr<f64> -> tensor<1024x!tile.ptr<f64>>
  %b_f64q = tile.addptr %b_f64d, %r : tensor<1024x!tile.ptr<f64>>, tensor<1024xi32>
  tile.store %b_f64q, %b_f64 : tensor<1024x!tile.ptr<f64>>
  %b_f8E4M3FN = tile.convert %b : tensor<1024xf8E5M2> -> tensor<1024xf8E4M3FN>
  %b_f8E4M3FNd = tile.splat %to_b_f8E4M3FN : !tile.ptr<f8E4M3FN> -> tensor<1024x!tile.ptr<f8E4M3FN>>
  %b_f8E4M3FNq = tile.addptr %b_f8E4M3FNd, %r : tensor<1024x!tile.ptr<f8E4M3FN>>, tensor<1024xi32>
  tile.store %b_f8E4M3FNq, %b_f8E4M3FN : tensor<1024x!tile.ptr<f8E4M3FN>>
  tile.return
}

// Integers to bf16, and floats to i1: what needs more than one instruction.
tile.func @convert_integers_kernel(%x32: !tile.ptr<i32>, %x64: !tile.ptr<i64>, %xf: !tile.ptr<f32>,
                                   %to_s32: !tile.ptr<bf16>, %to_u32: !tile.ptr<bf16>,
                                   %to_s64: !tile.ptr<bf16>, %to_u64: !tile.ptr<bf16>,
                                   %to_s1: !tile.ptr<i1>, %to_u1: !tile.ptr<i1>) {
  %r = tile.arange : tensor<1024xi32>
  %as = tile.splat %x32 : !tile.ptr<i32> -> tensor<1024x!tile.ptr<i32>>
  %ap = tile.addptr %as, %r : tensor<1024x!tile.ptr<i32>>, tensor<1024xi32>
  %a = tile.load %ap : tensor<1024x!tile.ptr<i32>>
  %bs = tile.splat %x64 : !tile.ptr<i64> -> tensor<1024x!tile.ptr<i64>>
  %bp = tile.addptr %bs, %r : tensor<1024x!tile.ptr<i64>>, tensor<1024xi32>
  %b = tile.load %bp : tensor<1024x!tile.ptr<i64>>
  %fs = tile.splat %xf : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %fp = tile.addptr %fs, %r : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %f = tile.load %fp : tensor<1024x!tile.ptr<f32>>
  %s32 = arith.sitofp %a : tensor<1024xi32> to tensor<1024xbf16>
  %s32d = tile.splat %to_s32 : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %s32q = tile.addptr %s32d, %r : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  tile.store %s32q, %s32 : tensor<1024x!tile.ptr<bf16>>
  %u32 = arith.uitofp %a : tensor<1024xi32> to tensor<1024xbf16>
  %u32d = tile.splat %to_u32 : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %u32q = tile.addptr %u32d, %r : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  tile.store %u32q, %u32 : tensor<1024x!tile.ptr<bf16>>
  %s64 = arith.sitofp %b : tensor<1024xi64> to tensor<1024xbf16>
  %s64d = tile.splat %to_s64 : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %s64q = tile.addptr %s64d, %r : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  tile.store %s64q, %s64 : tensor<1024x!tile.ptr<bf16>>
  %u64 = arith.uitofp %b : tensor<1024xi64> to tensor<1024xbf16>
  %u64d = tile.splat %to_u64 : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %u64q = tile.addptr %u64d, %r : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  tile.store %u64q, %u64 : tensor<1024x!tile.ptr<bf16>>
  %n = arith.negf %f : tensor<1024xf32>
  %s1 = arith.fptosi %n : tensor<1024xf32> to tensor<1024xi1>
  %s1d = tile.splat %to_s1 : !tile.ptr<i1> -> tensor<1024x!tile.ptr<i1>>
  %s1q = tile.addptr %s1d, %r : tensor<1024x!tile.ptr<i1>>, tensor<1024xi32>
  tile.store %s1q, %s1 : tensor<1024x!tile.ptr<i1>>
  %u1 = arith.fptoui %f : tensor<1024xf32> to tensor<1024xi1>
  %u1d = tile.splat %to_u1 : !tile.ptr<i1> -> tensor<1024x!tile.ptr<i1>>
  %u1q = tile.addptr %u1d, %r : tensor<1024x!tile.ptr<i1>>, tensor<1024xi32>
  tile.store %u1q, %u1 : tensor<1024x!tile.ptr<i1>>
  tile.return
}
