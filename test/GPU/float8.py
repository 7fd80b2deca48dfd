# ===- float8.py - what conversions to and from 8-bit floats have to give --===#
#
# Part of the Tessera project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# From first principles: a table of the 256 values of each format, and rounding
# as a search in it with exact arithmetic; integers to bf16 likewise. Pure Python;
# numbers are floats, which hold every f64, f32, bf16 and f16.
#
# Narrowing saturates, infinities included, and keeps NaN; PyTorch's conversions,
# which make NaN or infinity of what is too large, are no reference for it.
#
# ===------------------------------------------------------------------------===#

import bisect
import math
import random
import struct
from fractions import Fraction

# Name: bits of the fraction, bias of the exponent, code of the largest number.
FORMATS = {"e4m3": (3, 7, 0x7E), "e5m2": (2, 15, 0x7B)}


def decode(name, code):
    """The value of one code."""
    fraction_bits, bias, largest = FORMATS[name]
    sign = -1.0 if code & 0x80 else 1.0
    magnitude = code & 0x7F
    if magnitude > largest:
        is_infinity = name == "e5m2" and magnitude == 0x7C
        return sign * math.inf if is_infinity else math.nan
    exponent, fraction = magnitude >> fraction_bits, magnitude & ((1 << fraction_bits) - 1)
    if exponent == 0:
        return sign * math.ldexp(fraction, 1 - bias - fraction_bits)
    return sign * math.ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits)


VALUES = {name: [decode(name, code) for code in range(256)] for name in FORMATS}
# The finite magnitudes; the index is the code.
MAGNITUDES = {name: [Fraction(value) for value in VALUES[name][:FORMATS[name][2] + 1]]
              for name in FORMATS}


def encode(name, number):
    """The code of the nearest value, the even code of two; None for a NaN."""
    if math.isnan(number):
        return None
    sign = 0x80 if math.copysign(1.0, number) < 0 else 0
    magnitudes = MAGNITUDES[name]
    if math.isinf(number) or abs(number) >= magnitudes[-1]:
        return sign | (len(magnitudes) - 1)
    exact = Fraction(abs(number))
    above = bisect.bisect_right(magnitudes, exact)
    below = above - 1
    down, up = exact - magnitudes[below], magnitudes[above] - exact
    if down == up:
        return sign | (below if below % 2 == 0 else above)
    return sign | (below if down < up else above)


def agrees(name, code, number):
    """Whether `code` is what `number` has to become. Any NaN is a NaN."""
    want = encode(name, number)
    return math.isnan(VALUES[name][code]) if want is None else code == want


def same(a, b):
    """Equality that tells zeros apart and takes any NaN for another."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b and math.copysign(1.0, a) == math.copysign(1.0, b)


def from_bits(kind, bits):
    """A float from its bits: "e" f16, "f" f32, "d" f64, "b" bf16."""
    if kind == "b":
        kind, bits = "f", bits << 16
    return struct.unpack("<" + kind, bits.to_bytes(struct.calcsize(kind), "little"))[0]


def hard_bits(kind, count, seed):
    """`count` bit patterns of a type, of which most are codes, ties between two
    of them and their neighbours; the others are any bits at all."""
    source = random.Random(seed)
    width = {"e": 16, "b": 16, "f": 32, "d": 64}[kind]
    fixed = [0, 1 << (width - 1)]
    for special in (math.inf, -math.inf, math.nan):
        fixed.append(int.from_bytes(struct.pack("<d", special), "little") if kind == "d"
                     else int.from_bytes(struct.pack("<e", special), "little") if kind == "e"
                     else int.from_bytes(struct.pack("<f", special), "little") >> (32 - width))
    result = fixed[:count]
    while len(result) < count:
        bits = source.getrandbits(width)
        if source.random() < 0.8:
            name = source.choice(list(FORMATS))
            magnitudes = MAGNITUDES[name]
            index = source.randrange(len(magnitudes) - 1)
            tie = float((magnitudes[index] + magnitudes[index + 1]) / 2)
            value = source.choice([tie, tie, float(magnitudes[index + 1])])
            wide = int.from_bytes(struct.pack("<d", value), "little")
            if kind in "fb":
                wide = int.from_bytes(struct.pack("<f", value), "little") >> (32 - width)
            elif kind == "e":
                try:
                    wide = int.from_bytes(struct.pack("<e", value), "little")
                except OverflowError:
                    wide = 0x7BFF
            # A step that a detour through a narrower type would lose, or one of
            # the last place.
            step = source.choice([0, 1, -1]) << (source.randrange(28) if kind == "d" else 0)
            bits = max(wide + step, 0) | source.getrandbits(1) << (width - 1)
        result.append(bits)
    return result


def nearest_bf16(number):
    """An integer as bf16 bits, from the definition."""
    sign, magnitude = (0x8000 if number < 0 else 0), abs(number)
    if magnitude == 0:
        return 0
    exponent = magnitude.bit_length() - 8  # Eight significant bits stay.
    exact = Fraction(magnitude) / Fraction(2) ** exponent
    kept = round(exact)  # To even.
    # 128 stands for the leading bit; 256 carries into the exponent by itself.
    return sign | (((exponent + 7 + 127) << 7) + kept - 128)


def hard_integers(width, count, seed):
    """Numbers next to ties between two bf16 and between two f32, as bits."""
    source = random.Random(seed)
    numbers = [0, 1, (1 << width) - 1, 1 << (width - 1), (1 << (width - 1)) - 1, 0x01010001]
    while len(numbers) < count:
        size = source.randrange(10, width + 1)
        head = source.getrandbits(8) | 128
        number = ((head << 1 | 1) << (size - 9 if size > 9 else 0)) + source.randrange(-2, 3)
        numbers.append((number if source.random() < 0.8 else source.getrandbits(size))
                       * source.choice([1, -1]) % (1 << width))
    return numbers
