//! What operations give at the edges, and where others answer differently.

use std::fmt::Write;

/// A case whose value is a choice.
struct Edge {
    case: &'static str,
    /// What holds here.
    rule: &'static str,
    /// What NumPy, JAX and PyTorch do, if not the same.
    others: &'static str,
    /// A program with its values.
    shown: &'static str,
}

const EDGES: &[Edge] = &[
    Edge {
        case: "Integer overflow",
        rule: "`+ - *`, `-x` and `abs` wrap in two's complement, and so do `sum`, `prod`, `cumsum`, `cumprod` and `dot`. Under \
               `--checked` overflow is an error. Of a sum or a product what counts is the exact result, not the steps to it: \
               whether it is an error depends on no order and on no number of threads.",
        others: "",
        shown: "[127i8] + 1i8                    # => [-128] : i8[1]  # warning: integer-overflow\nabs([-128i8])                    # => [-128] : i8[1]  # warning: integer-overflow",
    },
    Edge {
        case: "Integer division by zero",
        rule: "`x // 0` and `x % 0` are 0; the smallest integer divided by -1 wraps, with remainder 0. Under `--checked` \
               both are errors.",
        others: "NumPy gives the same with a warning. In JAX the value is left to the backend. PyTorch raises an error on \
                 a CPU.",
        shown: "[7i32] // [0i32]                 # => [0] : i32[1]\n[7i32] % [0i32]                  # => [0] : i32[1]\n\
                [-128i8] // [-1i8]               # => [-128] : i8[1]",
    },
    Edge {
        case: "Float division by zero",
        rule: "As NumPy: `1.0 // 0` is inf, `0.0 // 0` and `x % 0` are nan, `-1.0 // inf` is -1.",
        others: "",
        shown: "[1.0, -1.0, 0.0] // [0f64]       # => [inf -inf nan] : f64[3]\n[1.0] % [0f64]                   # => [nan] : f64[1]",
    },
    Edge {
        case: "Signs of quotients and remainders",
        rule: "`//` rounds down, and `%` has the sign of the divisor, a remainder of zero too.",
        others: "",
        shown: "[-7, 7] // [2i32]                # => [-4 3] : i32[2]\n[-7, 7] % [-3i32]                # => [-1 -2] : i32[2]",
    },
    Edge {
        case: "Shifts beyond the width",
        rule: "A count that is negative, or the width or more, gives 0, and the sign for `>>` of signed integers.",
        others: "",
        shown: "[1u8] << [8u8]                   # => [0] : u8[1]\n[-1i8] >> [100i8]                # => [-1] : i8[1]",
    },
    Edge {
        case: "Integer powers",
        rule: "Exact modulo 2^N. A negative exponent truncates: 1 stays 1, -1 becomes ±1, all else 0. A negative constant \
               exponent is an error.",
        others: "NumPy refuses negative exponents of integers when it meets one.",
        shown: "[2u8] ** [8u8]                   # => [0] : u8[1]  # warning: integer-overflow\n[2i32, -1] ** [-1i32]            # => [0 -1] : i32[2]",
    },
    Edge {
        case: "Float powers",
        rule: "A constant exponent of 2 is `x*x`, -1 is `1/x`, 0.5 is `sqrt(x)`; `x**0` is 1, also of nan.",
        others: "",
        shown: "[f64(nan)] ** 0                  # => [1.] : f64[1]\n[-8f64] ** [1.5f64]              # => [nan] : f64[1]",
    },
    Edge {
        case: "Casts to integers",
        rule: "Between integers modulo 2^N. Floats are truncated, saturate, and nan becomes 0; under `--checked` a cast \
               that changes the value is an error.",
        others: "JAX saturates too. NumPy and PyTorch leave floats out of range to the machine.",
        shown: "u8([300i32, -1i32])              # => [44 255] : u8[2]\nu8([1.9f64, -1.0, nan, 1e30])    # => [1 0 0 255] : u8[4]",
    },
    Edge {
        case: "Casts to bool",
        rule: "Whether the value is not 0; nan is true.",
        others: "",
        shown: "bool([0.0, -0.0, nan])           # => [false false true] : bool[3]",
    },
    Edge {
        case: "Complex numbers to real ones",
        rule: "There is no such cast: write `real(z)` or `abs(z)`.",
        others: "NumPy, JAX and PyTorch drop the imaginary part; NumPy and PyTorch warn.",
        shown: "f64(3+4j)                        # error: complex-to-real",
    },
    Edge {
        case: "Rounding of casts",
        rule: "Integers and floats are rounded once, to the nearest value and to even; beyond the largest value of a float \
               dtype lies inf. `f16` and `bf16` are never reached through `f32`.",
        others: "",
        shown: "f32([16777217i64])               # => [16777216.] : f32[1]\nf16([65520i32])                  # => [inf] : f16[1]",
    },
    Edge {
        case: "Floats of two bytes",
        rule: "Each operation on `f16` and `bf16` is computed as if in `f32` and rounded once.",
        others: "XLA, and so JAX, may keep `f32` between operations that it fuses.",
        shown: "[2048f16] + [1f16]               # => [2048.] : f16[1]",
    },
    Edge {
        case: "Subnormal numbers",
        rule: "They are kept everywhere.",
        others: "XLA, and so JAX, flushes them to zero on some backends.",
        shown: "[1e-38f32] / [10f32] > 0         # => [true] : bool[1]",
    },
    Edge {
        case: "nan and zeros in extremes",
        rule: "`minimum maximum min max clip` give nan if an operand is nan; 0.0 is greater than -0.0. `argmin` and \
               `argmax` find the first nan, else the first extreme.",
        others: "They treat nan alike; which zero comes out is not specified there.",
        shown: "minimum([-0.0f64], [0.0])        # => [-0.] : f64[1]\nmax([1f64, nan, 0.0])            # => nan : f64\n\
                argmax([1f64, nan, 3.0])         # => 1 : i64",
    },
    Edge {
        case: "sign and round",
        rule: "`sign` keeps nan and the sign of zero. `round` goes to even.",
        others: "NumPy gives 0.0 for `sign(-0.0)`.",
        shown: "sign([-0.0f64, nan])             # => [-0. nan] : f64[2]\nround([0.5f64, 1.5])             # => [0. 2.] : f64[2]",
    },
    Edge {
        case: "Comparisons",
        rule: "Integers compare exactly, whatever their widths and signs. Other comparisons come after promotion; complex \
               numbers have no order; nan equals nothing.",
        others: "NumPy 2 compares integers exactly too. JAX promotes first, `u64` and `i64` to floats.",
        shown: "[18446744073709551615u64] == [-1i64]   # => [false] : bool[1]\n[f64(nan)] == [f64(nan)]         # => [false] : bool[1]",
    },
    Edge {
        case: "Sums of floats",
        rule: "They are added in one fixed order, whatever the strides, the machine or the number of threads; `f16` and \
               `bf16` are summed in `f32` and rounded once.",
        others: "Elsewhere the order, and with it the last bits, depends on layout and machine.",
        shown: "sum([0.1, 0.2, 0.3])             # => 0.6000000000000001 : f64",
    },
    Edge {
        case: "Reductions of nothing",
        rule: "`sum` is 0, `prod` 1, `any` false, `all` true, `mean var std` nan; `min max argmin argmax` are errors.",
        others: "",
        shown: "sum(zeros(0))                    # => 0.0 : f64\nmean(zeros(0))                   # => nan : f64\n\
                ```\n\n```arr\nmax(zeros(0))                    # error: empty-reduction",
    },
    Edge {
        case: "Arithmetic of bool",
        rule: "`+` is or, `*` is and, `/` divides as floats; `-` is an error that suggests `^`.",
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
