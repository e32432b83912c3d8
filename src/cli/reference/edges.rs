//! Results of operations at the edges, beside those of other libraries.

use std::fmt::Write;

/// A case whose value is a choice.
struct EdgeCase {
    case: &'static str,
    /// What holds here.
    rule: &'static str,
    /// What NumPy, JAX and PyTorch do, if not the same.
    others: &'static str,
    /// A program with its values.
    shown: &'static str,
}

const EDGES: &[EdgeCase] = &[
    EdgeCase {
        case: "Integer overflow",
        rule: "`+ - *`, `-x` and `abs` wrap in two's complement, and so do `sum`, `prod`, `cumsum`, `cumprod` and `dot`. Under \
               `--checked` overflow is an error. For a sum or a product only the exact result counts, not the steps to it. \
               So the error depends neither on the order of the elements nor on the number of threads. In `dot` each \
               product must fit too. `where` computes both of its arms, and both must fit.",
        others: "",
        shown: "[127i8] + 1i8                    # => [-128] : i8[1]  # warning: integer-overflow\nabs([-128i8])                    # => [-128] : i8[1]  # warning: integer-overflow",
    },
    EdgeCase {
        case: "Integer division by zero",
        rule: "`x // 0` and `x % 0` are 0. The smallest integer divided by -1 wraps, and its remainder is 0. Under `--checked` a \
               division by zero is an error, and so is that wrap.",
        others: "NumPy gives the same values and a warning. In JAX the value depends on the backend. PyTorch raises an error \
                 on a CPU.",
        shown: "[7i32] // [0i32]                 # => [0] : i32[1]\n[7i32] % [0i32]                  # => [0] : i32[1]\n\
                [-128i8] // [-1i8]               # => [-128] : i8[1]",
    },
    EdgeCase {
        case: "Float division by zero",
        rule: "The results are those of NumPy: `1.0 // 0` is inf, `0.0 // 0` and `x % 0` are nan, and `-1.0 // inf` is -1.",
        others: "",
        shown: "[1.0, -1.0, 0.0] // [0f64]       # => [inf -inf nan] : f64[3]\n[1.0] % [0f64]                   # => [nan] : f64[1]",
    },
    EdgeCase {
        case: "Signs of quotients and remainders",
        rule: "`//` rounds down, and `%` has the sign of the divisor. In floats a remainder of zero has that sign too.",
        others: "",
        shown: "[-7, 7] // [2i32]                # => [-4 3] : i32[2]\n[-7, 7] % [-3i32]                # => [-1 -2] : i32[2]",
    },
    EdgeCase {
        case: "Shifts beyond the width",
        rule: "If the count is negative, or the width of the dtype or more, the result is 0. For `>>` of a negative integer it is -1.",
        others: "",
        shown: "[1u8] << [8u8]                   # => [0] : u8[1]\n[-1i8] >> [100i8]                # => [-1] : i8[1]",
    },
    EdgeCase {
        case: "Integer powers",
        rule: "Integer powers are exact modulo 2^N, where N is the number of bits. A negative exponent drops the fraction: 1 \
               stays 1, -1 becomes 1 or -1, and every other base gives 0. A negative constant exponent is an error.",
        others: "NumPy raises an error as soon as it meets an integer with a negative exponent.",
        shown: "[2u8] ** [8u8]                   # => [0] : u8[1]  # warning: integer-overflow\n[2i32, -1] ** [-1i32]            # => [0 -1] : i32[2]",
    },
    EdgeCase {
        case: "Float powers",
        rule: "With a constant exponent, `x**2` is computed as `x*x`, `x**-1` as `1/x`, and `x**0.5` as `sqrt(x)`. `x**0` is 1, \
               even for nan.",
        others: "",
        shown: "[f64(nan)] ** 0                  # => [1.] : f64[1]\n[-8f64] ** [1.5f64]              # => [nan] : f64[1]",
    },
    EdgeCase {
        case: "Casts to integers",
        rule: "A cast between integers keeps the value modulo 2^N, where N is the number of bits. A cast of a float drops the \
               fraction and stops at the ends of the dtype, and nan becomes 0. Under `--checked` it is an error if the value \
               does not fit the dtype, or is nan; a fraction may still be dropped.",
        others: "JAX stops at the ends of the dtype too. In NumPy and PyTorch, the result for floats out of range depends on the \
                 machine.",
        shown: "u8([300i32, -1i32])              # => [44 255] : u8[2]\nu8([1.9f64, -1.0, nan, 1e30])    # => [1 0 0 255] : u8[4]",
    },
    EdgeCase {
        case: "Casts to bool",
        rule: "0 becomes false, and every other value becomes true, nan too.",
        others: "",
        shown: "bool([0.0, -0.0, nan])           # => [false false true] : bool[3]",
    },
    EdgeCase {
        case: "Complex numbers to real ones",
        rule: "There is no such cast. Write `real(z)` or `abs(z)`.",
        others: "NumPy, JAX and PyTorch drop the imaginary part; NumPy and PyTorch warn.",
        shown: "f64(3+4j)                        # error: complex-to-real",
    },
    EdgeCase {
        case: "Rounding of casts",
        rule: "A cast to a float dtype rounds once, to the nearest value, and to the even one of two that are equally near. What \
               is too large for the dtype becomes inf, or NaN in `f8_e4m3`, which has no inf. A cast to a float of one or two \
               bytes never goes through `f32`, which would round twice.",
        others: "",
        shown: "f32([16777217i64])               # => [16777216.] : f32[1]\nf16([65520i32])                  # => [inf] : f16[1]",
    },
    EdgeCase {
        case: "Floats of one and two bytes",
        rule: "Each operation on `f16`, `bf16`, `f8_e4m3` and `f8_e5m2` is computed as if in `f32` and rounded once.",
        others: "XLA, which JAX uses, may keep `f32` between operations that it fuses.",
        shown: "[2048f16] + [1f16]               # => [2048.] : f16[1]",
    },
    EdgeCase {
        case: "Subnormal numbers",
        rule: "Subnormal numbers are kept everywhere.",
        others: "XLA, which JAX uses, flushes them to zero on some backends.",
        shown: "[1e-38f32] / [10f32] > 0         # => [true] : bool[1]",
    },
    EdgeCase {
        case: "nan and zeros in extremes",
        rule: "`minimum`, `maximum`, `min`, `max` and `clip` give nan if an operand or element is nan, and 0.0 is greater than \
               -0.0. `argmin` and `argmax` give the position of the first nan. Without a nan they give the first of equal \
               elements, and -0.0 equals 0.0.",
        others: "NumPy, JAX and PyTorch treat nan in the same way. They do not specify which zero comes out.",
        shown: "minimum([-0.0f64], [0.0])        # => [-0.] : f64[1]\nmax([1f64, nan, 0.0])            # => nan : f64\n\
                argmax([1f64, nan, 3.0])         # => 1 : i64",
    },
    EdgeCase {
        case: "sign and round",
        rule: "`sign` keeps nan and the sign of zero. `round` rounds a half to the even neighbour.",
        others: "NumPy gives 0.0 for `sign(-0.0)`.",
        shown: "sign([-0.0f64, nan])             # => [-0. nan] : f64[2]\nround([0.5f64, 1.5])             # => [0. 2.] : f64[2]",
    },
    EdgeCase {
        case: "Comparisons",
        rule: "Integers compare exactly, whatever their widths and signs. Other operands are promoted first. Complex numbers \
               have no order. A nan equals nothing.",
        others: "NumPy 2 compares integers exactly too. JAX promotes first: `u64` and `i64` become floats.",
        shown: "[18446744073709551615u64] == [-1i64]   # => [false] : bool[1]\n[f64(nan)] == [f64(nan)]         # => [false] : bool[1]",
    },
    EdgeCase {
        case: "Sums of floats",
        rule: "Floats are added in one fixed order, which does not depend on strides, on the machine or on the number of threads. \
               Floats of one and two bytes are summed in `f32`, and the sum is rounded once.",
        others: "The order depends on the memory layout and the machine, and so do the last bits.",
        shown: "sum([0.1, 0.2, 0.3])             # => 0.6000000000000001 : f64",
    },
    EdgeCase {
        case: "Fourier transforms and linear algebra",
        rule: "Libraries compute them, and choose their code by the processor. Their last bits may differ between machines, and those of no other \
               function. They do not depend on strides or on the number of threads.",
        others: "The same.",
        shown: "fft.rfft([1.0, 2.0, 3.0, 4.0])   # => [10.+0.j -2.+2.j -2.+0.j] : c128[3]",
    },
    EdgeCase {
        case: "Matrices without an answer",
        rule: "A singular matrix is an error of the run in `linalg.solve` and `linalg.inv`, one that is not positive definite in \
               `linalg.cholesky`. A nan in a matrix makes every result nan, and an infinity does so where factors are iterated: \
               `linalg.qr`, `linalg.svd`, `linalg.eig` and their kin.",
        others: "JAX and TensorFlow give nan or inf for singular matrices. NumPy raises, also for nan in `svd` and `eig`.",
        shown: "linalg.norm([nan, 1.0])          # => nan : f64",
    },
    EdgeCase {
        case: "Reductions of nothing",
        rule: "Without elements, `sum` is 0, `prod` is 1, `any` is false, and `all` is true. `mean`, `var` and `std` are nan. \
               `min`, `max`, `argmin` and `argmax` are errors.",
        others: "",
        shown: "sum(zeros(0))                    # => 0.0 : f64\nmean(zeros(0))                   # => nan : f64\n\
                ```\n\n```arr\nmax(zeros(0))                    # error: empty-reduction",
    },
    EdgeCase {
        case: "Arithmetic of bool",
        rule: "`+` is `or`, and `*` is `and`. `/` divides as floats. `-` is an error that suggests `^`.",
        others: "",
        shown: "[true] + [true]                  # => [true] : bool[1]\n[true] / [true]                  # => [1.] : f32[1]\n\
                ```\n\n```arr\n[true] - [true]                  # error: unsupported-dtype",
    },
];

pub(super) fn chapter() -> String {
    let mut text = include_str!("edges.md").to_owned();
    for edge in EDGES {
        let _ = write!(text, "### {}\n\n{}\n", edge.case, edge.rule);
        if !edge.others.is_empty() {
            let _ = write!(text, "\nElsewhere: {}\n", edge.others);
        }
        let _ = write!(text, "\n```arr\n{}\n```\n\n", edge.shown);
    }
    text
}
