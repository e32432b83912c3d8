//! Functions of Python's `math` or `cmath` that give other numbers than their namesakes here.

use super::{ElsewhereRow, PYTHON, code, exact, form};

/// The rows.
pub(super) static ROWS: &[ElsewhereRow] = &[
    // Floats whatever they are given.
    exact(&["math.pow"], PYTHON, &[form("x, y", "f64(x) ** f64(y)")]),
    exact(&["math.fmod"], PYTHON, &[form("x, y", "fmod(f64(x), f64(y))")]),
    // Integers of floats.
    exact(&["math.floor"], PYTHON, &[form("x", "i64(floor(x))")]),
    exact(&["math.ceil"], PYTHON, &[form("x", "i64(ceil(x))")]),
    exact(&["math.trunc"], PYTHON, &[form("x", "i64(trunc(x))")]),
    code(
        &["math.remainder"],
        PYTHON,
        &[form("x, y", "x - y*round(x/y)")],
        "`x % y` has the sign of y, this one is nearest to 0",
    ),
    exact(
        &["math.log", "logn"],
        PYTHON,
        &[
            form("x", "log(x)"),
            form("x, base", "log(where(false, log(x) * log(base), x)) / log(where(false, log(x) * log(base), base))"),
        ],
    ),
    exact(&["isqrt"], PYTHON, &[form("n", "i64(floor(sqrt(n)))")]),
    exact(
        &["math.isclose"],
        PYTHON,
        &[
            form("a, b", "(a == b) | (isfinite(a) & isfinite(b) & (abs(a - b) <= 1e-9*maximum(abs(a), abs(b))))"),
            form(
                "a, b, rel_tol",
                "(a == b) | (isfinite(a) & isfinite(b) & (abs(a - b) <= rel_tol*maximum(abs(a), abs(b))))",
            ),
            form(
                "a, b, abs_tol",
                "(a == b) | (isfinite(a) & isfinite(b) & (abs(a - b) <= maximum(1e-9*maximum(abs(a), abs(b)), abs_tol)))",
            ),
            form(
                "a, b, rel_tol, abs_tol",
                "(a == b) | (isfinite(a) & isfinite(b) & (abs(a - b) <= maximum(rel_tol*maximum(abs(a), abs(b)), abs_tol)))",
            ),
        ],
    ),
    // Complex numbers whatever they are given: the root of -1 is 1j.
    exact(&["cmath.sqrt"], PYTHON, &[form("x", "sqrt(c128(x))")]),
    exact(&["cmath.exp"], PYTHON, &[form("x", "exp(c128(x))")]),
    exact(&["cmath.log10"], PYTHON, &[form("x", "log10(c128(x))")]),
    exact(&["cmath.sin"], PYTHON, &[form("x", "sin(c128(x))")]),
    exact(&["cmath.cos"], PYTHON, &[form("x", "cos(c128(x))")]),
    exact(&["cmath.tan"], PYTHON, &[form("x", "tan(c128(x))")]),
    exact(&["cmath.asin"], PYTHON, &[form("x", "asin(c128(x))")]),
    exact(&["cmath.acos"], PYTHON, &[form("x", "acos(c128(x))")]),
    exact(&["cmath.atan"], PYTHON, &[form("x", "atan(c128(x))")]),
    exact(&["cmath.sinh"], PYTHON, &[form("x", "sinh(c128(x))")]),
    exact(&["cmath.cosh"], PYTHON, &[form("x", "cosh(c128(x))")]),
    exact(&["cmath.tanh"], PYTHON, &[form("x", "tanh(c128(x))")]),
    exact(&["cmath.asinh"], PYTHON, &[form("x", "asinh(c128(x))")]),
    exact(&["cmath.acosh"], PYTHON, &[form("x", "acosh(c128(x))")]),
    exact(&["cmath.atanh"], PYTHON, &[form("x", "atanh(c128(x))")]),
    exact(&["cmath.log"], PYTHON, &[form("x", "log(c128(x))"), form("x, base", "log(c128(x)) / log(c128(base))")]),
    exact(&["cmath.phase"], PYTHON, &[form("x", "angle(c128(x))")]),
];
