//! Where values differ from NumPy's on purpose, and why.

use super::Found;
use super::probes::{Param, dtype, number};
use arrlang::scalar::Scalar;
use arrlang::scalar::eval;
use arrlang::scalar::prim::Prim;
use arrlang::types::DType;

/// Probes that differ on purpose.
pub(super) struct Rule {
    pub(super) name: &'static str,
    /// What `arr` does, what NumPy does, and why they part.
    pub(super) reason: &'static str,
    /// Whether it explains a difference.
    explains: fn(&Found) -> bool,
}

/// At most twelve.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "saturating casts",
        reason: "a float beyond an integer's range gives its nearest end and nan 0, as in JAX; NumPy leaves it to the CPU",
        explains: |found| match (cast(found), operand(found, 0)) {
            (Some(to), Some(x)) if to.is_integer() && x.dtype.is_float() => {
                let (low, high) = to.integer_range().expect("integers have ends");
                let x = wide(x).trunc();
                let inside = x >= low as f64 && x < high as f64 + 1.0;
                let end = if x > 0.0 { high } else { low };
                !inside && gives(found, number(&if x.is_nan() { 0 } else { end }.to_string(), to))
            }
            _ => false,
        },
    },
    Rule {
        name: "reciprocals",
        reason: "of integers they are refused where the system asks for integers, for all but 1 would be 0; of complex 0 it is \
                 `inf+nan`, where NumPy has nan in both parts",
        explains: |found| {
            let zero = || operand(found, 0).is_some_and(|x| x.bits == 0);
            found.group.call == "reciprocal" && (refused(found, "E0501") || complex(found) && zero())
        },
    },
    Rule {
        name: "no cast from complex to real",
        reason: "refused, for `real(z)` and `abs(z)` say what is meant; NumPy drops the imaginary part with a warning",
        explains: |found| {
            let real = cast(found).is_some_and(|to| !to.is_complex() && to != DType::Bool);
            real && complex(found) && refused(found, "E0325")
        },
    },
    Rule {
        name: "casts round once",
        reason: "wide numbers are rounded to bf16 directly; ml_dtypes rounds them to f32 first and so twice",
        explains: |found| match (cast(found), operand(found, 0)) {
            (Some(DType::Bf16), Some(x)) if x.dtype.size() > 2 => {
                let narrow = eval::eval(Prim::Convert, DType::F32, &[x]);
                let twice = eval::eval(Prim::Convert, DType::Bf16, &[narrow]);
                twice.same(number(found.wanted, DType::Bf16)) && found.ours.is_ok()
            }
            _ => false,
        },
    },
    Rule {
        name: "negative integer powers",
        reason: "truncate the exact value, 0 or ±1; NumPy raises for the whole array if one exponent is negative",
        explains: |found| {
            let negative = found.given.get(1).is_some_and(|y| y.starts_with('-'));
            let integers = |param: &Param| matches!(param, Param::Scalar(dtype) if dtype.is_integer());
            let called = found.group.call == "pow" && found.group.params.iter().all(integers);
            called && negative && found.group.result.is_none() && found.ours.is_ok()
        },
    },
    Rule {
        name: "the sign of zero",
        reason: "`sign` keeps it, as in JAX and IEEE 754's copySign; NumPy gives +0",
        explains: |found| found.group.call == "sign" && found.given[0] == "-0.0" && gives_text(found, "-0.0"),
    },
    Rule {
        name: "-0 is below +0",
        reason: "minimum, maximum, min, max, fmin and fmax order the zeros as IEEE 754 does; NumPy takes one by position",
        explains: |found| {
            let zeros =
                found.given.iter().flat_map(|word| word.split(',')).all(|word| ["0", "0.0", "-0.0"].contains(&word));
            zeros
                && match found.group.call.as_str() {
                    "min" | "rmin" | "fmin" => gives_text(found, "-0.0"),
                    "max" | "rmax" | "fmax" => gives_text(found, "0.0"),
                    _ => false,
                }
        },
    },
    Rule {
        name: "complex numbers have no order",
        reason: "`<` and its like are refused; NumPy compares the real, then the imaginary parts",
        explains: |found| {
            matches!(found.group.call.as_str(), "lt" | "le" | "gt" | "ge") && complex(found) && refused(found, "E0324")
        },
    },
    Rule {
        name: "halves are summed in f32",
        reason: "reductions and scans of f16 and bf16 go on in f32, and a result is rounded once; NumPy rounds on the way",
        explains: |found| {
            let halves = matches!(found.group.params[..], [Param::Array(dtype)] if dtype.is_small_float());
            let accumulates = ["sum", "mean", "prod", "var", "cumsum", "cumprod"].contains(&found.group.call.as_str());
            halves && accumulates && found.ours.is_ok()
        },
    },
    Rule {
        name: "the order of products and variances",
        reason: "float sums and products have one fixed order, which is not NumPy's: one or two roundings differ",
        explains: |found| match (&found.ours, &found.group.result) {
            (Ok(ours), Some(result)) if ["prod", "var"].contains(&found.group.call.as_str()) => {
                let result = dtype(result);
                !result.is_integer() && super::close(*ours, number(found.wanted, result), 2)
            }
            _ => false,
        },
    },
];

/// The rule that explains a difference.
pub(super) fn find(found: &Found) -> Option<&'static Rule> {
    RULES.iter().find(|rule| (rule.explains)(found))
}

/// The dtype that a probe casts to.
fn cast(found: &Found) -> Option<DType> {
    Some(dtype(found.group.call.strip_prefix("cast<")?.strip_suffix('>')?))
}

fn operand(found: &Found, index: usize) -> Option<Scalar> {
    match found.group.params.get(index)? {
        Param::Scalar(dtype) => Some(number(found.given.get(index)?, *dtype)),
        _ => None,
    }
}

fn complex(found: &Found) -> bool {
    found.group.params.iter().any(|param| matches!(param, Param::Scalar(dtype) if dtype.is_complex()))
}

fn refused(found: &Found, code: &str) -> bool {
    matches!(&found.ours, Err(codes) if codes.contains(&code))
}

fn gives(found: &Found, value: Scalar) -> bool {
    matches!(found.ours, Ok(ours) if ours.same(value))
}

/// Whether the probe gives this value in the dtype of NumPy's.
fn gives_text(found: &Found, value: &str) -> bool {
    found.group.result.as_deref().is_some_and(|result| gives(found, number(value, dtype(result))))
}

fn wide(x: Scalar) -> f64 {
    f64::from_bits(eval::eval(Prim::Convert, DType::F64, &[x]).bits as u64)
}
