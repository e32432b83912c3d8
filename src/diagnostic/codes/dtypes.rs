//! Codes E03xx: dtypes and promotion.

use super::{ERROR, LOSS, Level, Row, WARNING, rows, script};

rows! {
    /// The result cannot hold every value of an operand.
    PRECISION_LOSS = Row {
        id: "E0301",
        name: "precision-loss",
        summary: "the result cannot hold every value of an operand",
        levels: LOSS,
        about: "what a promotion does",
        page: "When two dtypes meet, both are converted to one dtype. Here some values of an operand do not exist in it and are rounded: above 2^24 not every integer is an `f32`, above 2^53 not every integer is an `f64`. Convert to a dtype that holds both (`f64(x)`), or write the cast that you mean (`f32(x)`), which says that rounding is intended.",
        failing: script("promotion jax safe\ninput counts: i32[n]\ninput gain: f32[n]\ncounts * gain"),
        corrected: script("promotion jax safe\ninput counts: i32[n]\ninput gain: f32[n]\nf64(counts) * gain"),
    };
    /// Some finite value of an operand overflows in the result.
    RANGE_LOSS = Row {
        id: "E0302",
        name: "range-loss",
        summary: "some value of an operand is too large for the result",
        levels: LOSS,
        about: "what a promotion does",
        page: "When two dtypes meet, both are converted to one dtype. Here it is so narrow that some values of an operand become infinite: the largest `f16` is 65504. Convert the narrow operand first, `f32(x)`.",
        failing: script("promotion jax safe\ninput i: i32[n]\ninput h: f16[n]\ni + h"),
        corrected: script("promotion jax safe\ninput i: i32[n]\ninput h: f16[n]\nf64(i) + f64(h)"),
    };
    /// Integers meet as a float.
    KIND_CHANGE = Row {
        id: "E0303",
        name: "kind-change",
        summary: "integers meet as a float",
        levels: LOSS,
        about: "what a promotion does",
        page: "No integer dtype holds all of `u64` and of a signed dtype, so these meet as a float, which is exact only up to 2^53. Cast one operand to say which integers are meant. In `rfc` and `tf-numpy` it is also said of a literal of a higher kind: `i32` with `1.5`, `f32` with `2j`. Cast the array to say that it is meant.",
        failing: script("promotion jax safe\ninput a: u64[n]\ninput b: i64[n]\na + b"),
        corrected: script("promotion jax safe\ninput a: u64[n]\ninput b: i64[n]\ni64(a) + b"),
    };
    /// The result has more bits than every operand.
    WIDENING = Row {
        id: "E0304",
        name: "widening",
        summary: "the result has more bits than every operand",
        levels: [Level::Allow, Level::Deny, Level::Deny],
        about: "what a promotion does",
        page: "No dtype of the operands' width holds both, so the result is wider than either: `u8` with `i8` gives `i16`. Nothing is lost, but memory and the dtypes downstream grow. Cast one operand to choose.",
        failing: script("promotion jax safe\ninput a: u8[n]\ninput b: i8[n]\na + b"),
        corrected: script("promotion jax safe\ninput a: u8[n]\ninput b: i8[n]\ni16(a) + i16(b)"),
    };
    /// Strong dtypes differ.
    IMPLICIT_PROMOTION = Row {
        id: "E0305",
        name: "implicit-promotion",
        summary: "operands of different dtypes",
        levels: [Level::Allow, Level::Allow, Level::Deny],
        about: "what a promotion does",
        page: "In mode `none` operands must have the same dtype; nothing is converted unless a cast says so. Literals still take the dtype they meet.",
        failing: script("promotion jax none\ninput a: i16[n]\ninput b: i32[n]\na + b"),
        corrected: script("promotion jax none\ninput a: i16[n]\ninput b: i32[n]\ni32(a) + b"),
    };
    /// A computed weak value meets a narrower dtype.
    WEAK_NARROWING = Row {
        id: "E0306",
        name: "weak-narrowing",
        summary: "a computed weak value meets a narrower dtype",
        levels: LOSS,
        about: "literals, defaults, and integers that become floats",
        page: "A weak value that was computed at run time is stored at the default width (`i64`, `f64`). When it meets a narrower dtype it is converted, and nothing proves that every value it can have exists there. Write the cast that you mean. A float that is made of literals and of counters of few steps is rounded as a literal is, and nothing is said.",
        failing: script("promotion jax safe\ninput mask: bool[n]\ninput h: f16[n]\n(mask + 5000) * h"),
        corrected: script("promotion jax safe\ninput mask: bool[n]\ninput h: f16[n]\nf16(mask + 5000) * h"),
    };
    /// A weak float turns an integer array into a default-width float.
    WEAK_DEFAULT = Row {
        id: "E0307",
        name: "weak-default",
        summary: "a float literal turns an integer array into a float of the default width",
        levels: WARNING,
        about: "literals, defaults, and integers that become floats",
        page: "`i32` with `1.5` has no float dtype to take from its operands, so the result is a float of the default width, `f64`: twice the memory of `f32`. Say which float is meant: `f32(x) * 1.5`. Reported are arrays of integers that have fewer bits than the float: `i64`, and so `arange(n)`, becomes `f64` of the same size.",
        failing: script("input i: i32[n]\ni * 1.5"),
        corrected: script("input i: i32[n]\nf64(i) * 1.5"),
    };
    /// Integers too wide for the float that an operation makes of them.
    INEXACT_CONVERSION = Row {
        id: "E0308",
        name: "inexact-conversion",
        summary: "integers that are too wide for the float that the operation makes of them",
        levels: LOSS,
        about: "literals, defaults, and integers that become floats",
        page: "`/`, `sqrt`, `mean` and their kin turn integers into floats by themselves. Here the float has fewer bits than the integers: under `jax`, `i32 / i32` is `f32`, which rounds above 2^24. Convert first: `f64(x) / f64(y)`.",
        failing: script("promotion jax safe\ninput i: i32[n]\nsqrt(i)"),
        corrected: script("promotion jax safe\ninput i: i32[n]\nsqrt(f64(i))"),
    };
    /// A comparison with a constant that is always true or always false.
    CONSTANT_COMPARISON = Row {
        id: "E0309",
        name: "constant-comparison",
        summary: "a comparison that has the same answer for every value",
        levels: WARNING,
        about: "names and notation",
        page: "The constant lies outside the range of the dtype it is compared with, or the ranges of both sides do not meet, so the comparison does not depend on the data. So it is of integers with a float that lies beside all of them: `x < 256.0` of a `u8`. In the body of a function such a float is not reported, as the function may be meant for floats too. A comparison with `nan` is always false, `!=` always true: ask `isnan(x)`.",
        failing: script("input x: u8[n]\nx < -1"),
        corrected: script("input x: u8[n]\nx < 1"),
    };
    /// A shift that moves every bit out.
    SHIFT_OUT_OF_RANGE = Row {
        id: "E0310",
        name: "shift-out-of-range",
        summary: "a shift by a count outside the width",
        levels: WARNING,
        about: "integers that wrap, or divide by zero",
        page: "Shifting by the width or more, or by a negative count, gives 0 (or the sign, for a right shift of a signed dtype). Widen the operand first if the bits are wanted. What a shift to the left moves out is no overflow: `b << 4` keeps the low bits, as hashes want, and no `--checked` stops at it. A shift of a constant by a constant is exact, and reported where the count is negative. Reported are counts outside the width: those that always are, those of which a stated range says that they can be, and counts of 8 or 16 bits that alone decide the width, as in `1 << b` of a `u8`, which is a `u8`.",
        failing: script("input x: u8[n]\nx << 8"),
        corrected: script("input x: u8[n]\nu16(x) << 8"),
    };
    /// A literal changes value in the dtype that it meets.
    LOSSY_LITERAL = Row {
        id: "E0311",
        name: "lossy-literal",
        summary: "a literal that the float it meets cannot hold",
        levels: WARNING,
        about: "literals, defaults, and integers that become floats",
        page: "The literal is an integer that does not exist in the float dtype, so it is rounded to a neighbour: 16777217 is 16777216 in `f32`. Or it is a float so close to 0 that few of its digits are kept: below 6.1e-5 in `f16`, below 1.2e-38 in `f32`. A comparison rounds its literal too, and there one that is larger than every number of the dtype is an infinity: `x > 1e39` asks an `f32` whether it is above infinity.",
        failing: script("input x: f32[n]\nx + 16777217"),
        corrected: script("input x: f32[n]\nx + 16777216"),
    };
    /// Integer arithmetic, or a cast, whose exact result the dtype cannot hold.
    INTEGER_OVERFLOW = Row {
        id: "E0312",
        name: "integer-overflow",
        summary: "integers whose exact result the dtype cannot hold",
        levels: LOSS,
        about: "integers that wrap, or divide by zero",
        page: "Integer arithmetic wraps: in `u8`, 200 + 100 is 44. What always wraps is reported in every dtype. What can wrap is reported in 8 and 16 bits unless the operands exclude it (`a // b`, which wraps for the smallest integer by -1 alone, where something written bounds `b` and leaves -1), and in 32 and 64 bits where ranges are stated, or follow from narrow integers that a cast made wider: `i32(u) * u` of a `u16`. So is a difference of unsigned totals that have nothing to do with each other, where one falls below the other: `sum(a) - sum(b)`. What operands can be follows from declared ranges (`in [0, 4095]`), dtypes, constants, casts, `clip`, `%`, masks, `minimum` and `maximum`, the conditions of `where`, and what is asserted: `assert all(a >= b)`. Convert first, `u16(a) + b`; stop at the ends, `saturate(u16(a) + b, u8)`; or state a narrower range. Where wrapping is meant, as in a hash, a cast straight around the sum says so, `u8(a + b)`, and so do a mask, `(a + b) & 15`, `bitcast`, and `^` that mixes a product with other bits, `(h * k) ^ x`. In unsigned 32 and 64 bits a large odd number says so too where a product with it keeps its high bits, `(x * 0x01010101) >> 24`, or is that of a state in a loop, as in a generator: `s * 1664525 + 1013904223`. A cast of integers is reported itself where a declared range, or a mask in what they are computed of, is beyond its dtype: `u8(x)` for an `x` in `[0, 1000]`; `u8(x & 255)` takes the low bits. A cast of floats stops at the ends; it is reported where constants, or numbers in equal steps, are beyond its dtype: `u8(linspace(0, 300, 5))`. A `saturate` around a sum in `u8` comes too late.",
        failing: script("promotion jax safe\ninput a: u8[n]\ninput b: u8[n]\n(a + b) // 2"),
        corrected: script("promotion jax safe\ninput a: u8[n]\ninput b: u8[n]\n(u16(a) + b) // 2"),
    };
    /// A constant that does not fit the dtype it meets.
    LITERAL_OUT_OF_RANGE = Row {
        id: "E0320",
        name: "literal-out-of-range",
        summary: "a constant that does not fit the dtype that it meets",
        levels: ERROR,
        page: "A literal takes the dtype of what it meets, and must have a value there, in every mode. (NumPy 1, JAX and PyTorch wrap silently. NumPy 2 raises, but for `where` and `select`, which wrap, and `clip`, which stops at the ends of the dtype.) Widen the other operand if the value is meant.",
        failing: script("input x: i8[n]\nx + 1000"),
        corrected: script("input x: i8[n]\ni16(x) + 1000"),
    };
    /// Operands that have no common dtype in the system.
    NO_COMMON_DTYPE = Row {
        id: "E0321",
        name: "no-common-dtype",
        summary: "operands without a common dtype in this system",
        levels: ERROR,
        page: "The promotion system does not say what these dtypes meet as. Cast one of them.",
        failing: script("promotion tf\ninput a: bf16[n]\ninput b: f16[n]\na + b"),
        corrected: script("promotion tf\ninput a: bf16[n]\ninput b: f16[n]\nf32(a) + f32(b)"),
    };
    /// An operation that is not defined for the dtype.
    UNSUPPORTED_DTYPE = Row {
        id: "E0322",
        name: "unsupported-dtype",
        summary: "an operation that is not defined for the dtype",
        levels: ERROR,
        page: "Bits of floats, differences of `bool`, remainders of complex numbers: some operations have no meaning for some dtypes. The message says what to write instead.",
        failing: script("1.5 & 2"),
        corrected: script("1 & 2"),
    };
    /// `and`, `or`, `not` or a condition of something that is not `bool`.
    NOT_BOOL = Row {
        id: "E0323",
        name: "not-bool",
        summary: "a condition that is not bool",
        levels: ERROR,
        page: "`and`, `or`, `not` and the condition of `where` take `bool`. Say what makes a number true: `x != 0`.",
        failing: script("let x = [1, 0]\nnot x"),
        corrected: script("let x = [1, 0]\nnot (x != 0)"),
    };
    /// An ordering of complex numbers.
    COMPLEX_ORDERING = Row {
        id: "E0324",
        name: "complex-ordering",
        summary: "an ordering of complex numbers",
        levels: ERROR,
        page: "Complex numbers have no order that respects arithmetic. Compare `abs(z)` or the parts.",
        failing: script("2j < 3j"),
        corrected: script("abs(2j) < abs(3j)"),
    };
    /// A cast that would drop the imaginary part.
    COMPLEX_TO_REAL = Row {
        id: "E0325",
        name: "complex-to-real",
        summary: "a cast that would drop the imaginary part",
        levels: ERROR,
        page: "A cast from complex to real would lose the imaginary part without a word. Say which real number is meant: `abs(z)`.",
        failing: script("f64(3+4j)"),
        corrected: script("f64(abs(3+4j))"),
    };
    /// An integer to a negative constant power.
    NEGATIVE_EXPONENT = Row {
        id: "E0326",
        name: "negative-exponent",
        summary: "an integer to a negative constant power",
        levels: ERROR,
        page: "The exact value is a fraction, which no integer dtype has. Make the base a float: `f64(x) ** -1`. Of two literals it is a float, as in Python: `10 ** -3` is 0.001.",
        failing: script("2i32 ** -1"),
        corrected: script("f64(2i32) ** -1"),
    };
    /// A constant divided by zero.
    CONSTANT_DIVISION_BY_ZERO = Row {
        id: "E0327",
        name: "constant-division-by-zero",
        summary: "a division by zero among constants",
        levels: ERROR,
        page: "Constants are exact, and nothing divided by zero is a number. For an infinity write `inf`.",
        failing: script("1 / 0"),
        corrected: script("inf"),
    };
    /// An exact integer beyond the limit.
    CONSTANT_TOO_BIG = Row {
        id: "E0328",
        name: "constant-too-big",
        summary: "an exact integer of more than 4096 bits",
        levels: ERROR,
        page: "Integer constants are exact up to 4096 bits; this is checked before `**`, `<<` and `*` compute anything.",
        failing: script("9**9**9"),
        corrected: script("9**9"),
    };
    /// A value whose dtype is not the annotated one.
    ANNOTATED_DTYPE = Row {
        id: "E0329",
        name: "annotation-mismatch",
        summary: "a value that does not have the annotated dtype",
        levels: ERROR,
        page: "An annotation is a check, never a cast. A constant takes the annotated dtype if it fits; anything else must already have it.",
        failing: script("input x: f64[n]\nlet y: f32[n] = x * 2"),
        corrected: script("input x: f64[n]\nlet y: f32[n] = f32(x * 2)"),
    };
    /// A dtype that does not exist.
    UNKNOWN_DTYPE = Row {
        id: "E0330",
        name: "unknown-dtype",
        summary: "a dtype that does not exist",
        levels: ERROR,
        page: "The dtypes are bool, u8 to u64, i8 to i64, f8_e4m3, f8_e5m2, bf16, f16, f32, f64, c64, c128, and NumPy's long names for them.",
        failing: script("input x: float[n]\nx"),
        corrected: script("input x: f32[n]\nx"),
    };
    /// An integer that is outside the default dtype.
    NO_DTYPE_HOLDS = Row {
        id: "E0331",
        name: "integer-too-large",
        summary: "an integer that the default dtype cannot hold",
        levels: ERROR,
        page: "A constant that meets no dtype becomes the default integer, `i64`. Write a suffix for an unsigned one (`18446744073709551615u64`), or make it a float.",
        failing: script("2**63"),
        corrected: script("2**63 - 1"),
    };
    /// Something of compile time where an array is needed.
    NOT_AN_ARRAY = Row {
        id: "E0332",
        name: "not-an-array",
        summary: "a value of compile time where an array is needed",
        levels: ERROR,
        page: "Tuples, dtypes, functions, strings and named dimensions exist only while the program is checked; arithmetic needs arrays or numbers.",
        failing: script("f32 + 1"),
        corrected: script("f32(1) + 1"),
    };
    /// A literal that is too large for every float dtype.
    INFINITE_LITERAL = Row {
        id: "E0333",
        name: "infinite-literal",
        summary: "a constant that is too large for every float",
        levels: ERROR,
        page: "The largest finite `f64` is about 1.8e308. An integer that an operator makes a float of has to be smaller too, as in Python. For an infinity write `inf`.",
        failing: script("1e400"),
        corrected: script("inf"),
    };
    /// A result that the variable's dtype may not take.
    UPDATE_DTYPE = Row {
        id: "E0334",
        name: "update-dtype",
        summary: "a result that the variable's dtype may not take",
        levels: ERROR,
        page: "A variable keeps its dtype. Which results it takes is the rule of the promotion system for updates in place: under `jax` and `rfc` the result must have exactly that dtype, `numpy` converts within a kind and to higher ones, `torch` within a category.",
        failing: script("var total = 0i32\ntotal += 2.5"),
        corrected: script("var total = 0f32\ntotal += 2.5"),
    };
    /// An assertion that does not hold.
    ASSERTION_FAILED = Row {
        id: "E0335",
        name: "assertion-failed",
        summary: "an assertion that does not hold",
        levels: ERROR,
        page: "What `assert` says is decided before anything runs where it can be; a condition on data is checked when the program runs, and the error names the first element at fault. Equal dimensions, `assert a.shape == b.shape`, are known to be equal from there on.",
        failing: script("let scale = 3\nassert scale < 2"),
        corrected: script("let scale = 3\nassert scale < 4"),
    };
}
