//! Functions of single elements that are written with others.

use super::{CallForm, ElsewhereRow, Home, JAX, MATLAB, NETS, NP, PYTHON, SCIPY, TF, TORCH, code, exact, form};

/// Something of the normal distribution: of mean 0 and width 1, with a mean, with a width, with both.
const fn normal([plain, loc, scale, both]: [&'static str; 4]) -> [CallForm; 4] {
    [form("x", plain), form("x, loc", loc), form("x, scale", scale), form("x, loc, scale", both)]
}

/// `x * log(y)`, which is 0 where x is. The choice takes y to the dtype of the product before the logarithm.
const MULTIPLIED_LOG: &str = "where((x == 0) & (y == y), 0, x * $log(where(false, x * (y / 1), y / 1)))";
/// The same in JAX and PyTorch. Each choice takes both operands to their common dtype before the logarithm.
const COMMON_MULTIPLIED_LOG: &str =
    "where((x == 0) & (y == y), 0, (where(y == y, x, y) / 1) * $log(where(x == x, y, x) / 1))";

/// Two operands in the dtype that their functions have together: a choice takes each to it.
const COMMON_OPERANDS: &[(&str, &str)] = &[
    ("left", "where(false, lgamma(a) + lgamma(b) + (a / 1 + b), a)"),
    ("right", "where(false, lgamma(a) + lgamma(b) + (a / 1 + b), b)"),
];

/// The rows.
pub(super) static ROWS: &[ElsewhereRow] = &[
    exact(&["sinc"], NP, &[form("x", "where(x == 0, 1, sin(pi*(x / 1)) / (pi*(x / 1)))")]),
    // Of a bool it is a float with a dtype there, which a choice gives.
    exact(
        &["jax.sinc"],
        JAX,
        &[form("x", "where(x == 0, 1, sin(pi*$x) / (pi*$x))").with(&[("x", "where(false, sin(x), x)")])],
    ),
    exact(&["squareplus"], NETS, &[form("x", "(x + sqrt(square(x) + 4)) / 2")]),
    exact(&["sparse_plus"], JAX, &[form("x", "where(x <= -1, 0, where(x < 1, square(x + 1) / 4, x))")]),
    exact(&["float_power"], NP, &[form("x, y", "astype(x, result_type(x, f64)) ** astype(y, result_type(y, f64))")]),
    exact(&["jax.float_power"], JAX, &[form("x, y", "astype(x, result_type(x / y)) ** astype(y, result_type(x / y))")]),
    exact(&["divmod"], NP, &[form("x, y", "(x // y, x % y)")]),
    code(&["ulp"], PYTHON, &[form("x", "abs(spacing(x))")], "of an infinity it is nan here"),
    exact(&["frac"], TORCH, &[form("x", "x - trunc(x)")]),
    exact(&["isposinf"], NP, &[form("x", "x == inf")]),
    exact(&["isneginf"], NP, &[form("x", "x == -inf")]),
    exact(&["iscomplex"], NP, &[form("x", "imag(x) != 0")]),
    exact(&["isreal"], NP, &[form("x", "imag(x) == 0")]),
    // There `imag` is of complex numbers alone.
    exact(&["torch.isreal"], TORCH, &[form("x", "imag(astype(x, c128)) == 0")]),
    // There a dtype becomes every other one of its kind or of a higher one.
    exact(
        &["torch.can_cast"],
        TORCH,
        &[form(
            "from_, to",
            "isdtype(from_, \"bool\") | isdtype(to, \"complex floating\") \
             | (isdtype(to, \"real floating\") & ~isdtype(from_, \"complex floating\")) \
             | (isdtype(to, \"integral\") & isdtype(from_, \"integral\"))",
        )],
    ),
    exact(&["isna", "isnull"], &[Home::Pandas], &[form("x", "isnan(x)")]),
    exact(&["notna", "notnull"], &[Home::Pandas], &[form("x", "not isnan(x)")]),
    exact(&["fillna"], &[Home::Pandas], &[form("x, value", "where(isnan(x), value, x)")]),
    exact(&["between"], &[Home::Pandas], &[form("x, left, right", "left <= x <= right")]),
    exact(&["nthroot"], MATLAB, &[form("x, n", "sign(x) * abs(x)**(1/where(false, x*(n/1), n))")]),
    exact(&["rem"], MATLAB, &[form("x, y", "fmod(x, y)")]),
    exact(&["dist"], PYTHON, &[form("p, q", "norm(p - q)")]),
    exact(&["pdist2"], MATLAB, &[form("p, q", "norm(p[:, None] - q, axis=-1)")]),
    code(&["factorial"], &[Home::Python, Home::SciPy], &[form("n", "gamma(n + 1)")], "a float, exact up to 22"),
    code(
        &["comb", "nchoosek", "binom"],
        &[Home::Python, Home::SciPy, Home::Matlab],
        &[form("n, k", "round(exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)))")],
        "a float, right for small n",
    ),
    code(
        &["perm"],
        PYTHON,
        &[form("n, k", "round(exp(lgamma(n + 1) - lgamma(n - k + 1)))")],
        "a float, right for small n",
    ),
    exact(
        &["beta"],
        SCIPY,
        &[form(
            "a, b",
            "where(((gamma(a) < 0) & (a != 0)) ^ ((gamma(b) < 0) & (b != 0)) ^ \
             ((gamma($left + $right) < 0) & ($left + $right != 0)), \
             -exp(lgamma($left) + lgamma($right) - lgamma($left + $right)), \
             exp(lgamma($left) + lgamma($right) - lgamma($left + $right)))",
        )
        .with(COMMON_OPERANDS)],
    ),
    exact(
        &["betaln"],
        SCIPY,
        &[form("a, b", "lgamma($left) + lgamma($right) - lgamma($left + $right)").with(COMMON_OPERANDS)],
    ),
    exact(&["ndtr"], SCIPY, &[form("x", "erfc(-(x / 1) / sqrt(2)) / 2")]),
    exact(&["entr"], SCIPY, &[form("x", "where(x == 0, 0, where(x < 0, -inf, -(x / 1) * log(x / 1)))")]),
    exact(&["xlogy"], SCIPY, &[form("x, y", MULTIPLIED_LOG).with(&[("log", "log")])]),
    exact(&["xlog1py"], SCIPY, &[form("x, y", MULTIPLIED_LOG).with(&[("log", "log1p")])]),
    exact(
        &["torch.xlogy", "jax.scipy.special.xlogy", "jsp.special.xlogy"],
        &[Home::Torch, Home::Jax],
        &[form("x, y", COMMON_MULTIPLIED_LOG).with(&[("log", "log")])],
    ),
    exact(
        &["torch.xlog1py", "jax.scipy.special.xlog1py", "jsp.special.xlog1py"],
        &[Home::Torch, Home::Jax],
        &[form("x, y", COMMON_MULTIPLIED_LOG).with(&[("log", "log1p")])],
    ),
    exact(&["logit"], SCIPY, &[form("p", "log(p) - log1p(-(p * 1.0))")]),
    // From the threshold on it is a line.
    exact(
        &["torch.softplus"],
        TORCH,
        &[
            form("x", "where(x > 20, x, softplus(x))"),
            form("x, beta", "where(x*beta > 20, x, softplus(x*beta) / beta)"),
            form("x, beta, threshold", "where(x*beta > threshold, x, softplus(x*beta) / beta)"),
            form("x, threshold", "where(x > threshold, x, softplus(x))"),
        ],
    ),
    exact(&["log_expit"], SCIPY, &[form("x", "-softplus(-(x / 1))")]),
    exact(&["log_sigmoid", "logsigmoid"], NETS, &[form("x", "-softplus(-x)")]),
    exact(&["relu6"], NETS, &[form("x", "clip(x, 0, 6)")]),
    exact(&["hard_tanh", "hardtanh"], NETS, &[form("x", "clip(x, -1, 1)")]),
    exact(&["hard_sigmoid", "hardsigmoid"], NETS, &[form("x", "clip(x/6 + 0.5, 0, 1)")]),
    exact(&["hardswish", "hard_swish", "hard_silu"], NETS, &[form("x", "x * clip(x/6 + 0.5, 0, 1)")]),
    exact(&["soft_sign", "softsign"], NETS, &[form("x", "x / (1 + abs(x))")]),
    exact(&["mish"], NETS, &[form("x", "x * tanh(softplus(x))")]),
    exact(&["tanhshrink"], TORCH, &[form("x", "x - tanh(x)")]),
    exact(
        &["leaky_relu"],
        NETS,
        &[form("x", "where(x > 0, x, 0.01*x)"), form("x, negative_slope", "where(x > 0, x, negative_slope*x)")],
    ),
    exact(&["tf.leaky_relu"], TF, &[form("x", "where(x > 0, x, 0.2*x)"), form("x, alpha", "where(x > 0, x, alpha*x)")]),
    exact(
        &["elu"],
        NETS,
        &[form("x", "where(x > 0, x, expm1(x))"), form("x, alpha", "where(x > 0, x, alpha*expm1(x))")],
    ),
    exact(
        &["celu"],
        NETS,
        &[form("x", "where(x > 0, x, expm1(x))"), form("x, alpha", "where(x > 0, x, alpha*expm1(x/alpha))")],
    ),
    exact(&["selu"], NETS, &[form("x", "1.0507009873554805 * where(x > 0, x, 1.6732632423543772*expm1(x))")]),
    exact(
        &["jax.gelu"],
        JAX,
        &[
            form("x", "0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x**3)))"),
            form("x, approximate=true", "0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x**3)))"),
            form("x, approximate=false", "gelu(x)"),
        ],
    ),
    exact(
        &["torch.gelu"],
        TORCH,
        &[
            form("x", "gelu(x)"),
            form("x, approximate=none", "gelu(x)"),
            form("x, approximate=tanh", "0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x**3)))"),
        ],
    ),
    exact(
        &["norm.cdf", "stats.norm.cdf", "scipy.stats.norm.cdf"],
        SCIPY,
        &normal([
            "0.5 * erfc(-(x / 1) / sqrt(2))",
            "0.5 * erfc(-(x / 1 - loc) / sqrt(2))",
            "where(scale > 0, 0.5 * erfc(-(x / 1) / (scale * sqrt(2))), nan)",
            "where(scale > 0, 0.5 * erfc(-(x / 1 - loc) / (scale * sqrt(2))), nan)",
        ]),
    ),
    exact(
        &["norm.pdf", "stats.norm.pdf", "scipy.stats.norm.pdf"],
        SCIPY,
        &normal([
            "exp(-0.5 * (x / 1)**2) / sqrt(2*pi)",
            "exp(-0.5 * (x / 1 - loc)**2) / sqrt(2*pi)",
            "where(scale > 0, exp(-0.5 * (x / scale)**2) / (scale * sqrt(2*pi)), nan)",
            "where(scale > 0, exp(-0.5 * ((x / 1 - loc) / scale)**2) / (scale * sqrt(2*pi)), nan)",
        ]),
    ),
    exact(
        &["norm.logpdf", "stats.norm.logpdf", "scipy.stats.norm.logpdf"],
        SCIPY,
        &normal([
            "-0.5 * (x / 1)**2 - 0.9189385332046727",
            "-0.5 * (x / 1 - loc)**2 - 0.9189385332046727",
            "where(scale > 0, -0.5 * (x / scale)**2 - log(scale / 1) - 0.9189385332046727, nan)",
            "where(scale > 0, -0.5 * ((x / 1 - loc) / scale)**2 - log(scale / 1) - 0.9189385332046727, nan)",
        ]),
    ),
    exact(
        &["norm.sf", "stats.norm.sf", "scipy.stats.norm.sf"],
        SCIPY,
        &normal([
            "0.5 * erfc(x / sqrt(2))",
            "0.5 * erfc((x / 1 - loc) / sqrt(2))",
            "where(scale > 0, 0.5 * erfc(x / (scale * sqrt(2))), nan)",
            "where(scale > 0, 0.5 * erfc((x / 1 - loc) / (scale * sqrt(2))), nan)",
        ]),
    ),
    exact(&["lax.max"], JAX, &[form("x, y", "maximum(x, y)")]),
    exact(&["lax.min"], JAX, &[form("x, y", "minimum(x, y)")]),
    exact(&["lax.rem"], JAX, &[form("x, y", "fmod(x, y)")]),
    exact(&["clamp_min"], TORCH, &[form("x, min", "clip(x, min)")]),
    exact(&["clamp_max"], TORCH, &[form("x, max", "clip(x, None, max)")]),
    exact(&["lax.clamp"], JAX, &[form("min, x, max", "clip(x, min, max)")]),
    exact(&["lax.select"], JAX, &[form("pred, x, y", "where(pred, x, y)")]),
    exact(&["lax.integer_pow"], JAX, &[form("x, y", "x ** y")]),
    code(&["lax.div"], JAX, &[form("x, y", "x / y")], "integers are divided as integers there, towards 0"),
    exact(
        &["div"],
        TORCH,
        &[
            form("x, y", "x / y"),
            form("x, y, rounding_mode=None", "x / y"),
            form("x, y, rounding_mode=floor", "x // y"),
            form(
                "x, y, rounding_mode=trunc",
                "(trunc(x / y), (x - fmod(x, y)) // y)[i64(isdtype(result_type(x, y), \"integral\"))]",
            ),
        ],
    ),
    code(
        &["lax.round"],
        JAX,
        &[form("x", "sign(x) * floor(abs(x) + 0.5)"), form("x, method", "round(x)")],
        "it rounds half away from zero unless told otherwise",
    ),
    exact(&["tf.divide_no_nan", "divide_no_nan"], &[Home::TensorFlow], &[form("x, y", "where(y == 0, 0, x / y)")]),
    exact(&["squared_difference"], &[Home::TensorFlow], &[form("x, y", "square(x - y)")]),
    exact(&["lerp"], TORCH, &[form("a, b, weight", "a + weight*(b - a)")]),
    exact(&["idivide"], MATLAB, &[form("x, y", "trunc(x / y)")]),
    exact(&["bitand"], MATLAB, &[form("x, y", "x & y")]),
    exact(&["bitor"], MATLAB, &[form("x, y", "x | y")]),
    exact(&["bitxor"], MATLAB, &[form("x, y", "x ^ y")]),
    code(&["bitshift"], MATLAB, &[form("x, k", "x << k")], "for a negative k `x >> -k`"),
    exact(
        &["scipy.softmax"],
        &[Home::SciPy],
        &[form("x", "reshape(softmax(ravel(x)), x.shape)"), form("x, axis", "softmax(x, axis=axis)")],
    ),
    exact(
        &["scipy.log_softmax"],
        &[Home::SciPy],
        &[form("x", "reshape(log_softmax(ravel(x)), x.shape)"), form("x, axis", "log_softmax(x, axis=axis)")],
    ),
    exact(&["and_"], PYTHON, &[form("x, y", "x & y")]),
    exact(&["or_"], PYTHON, &[form("x, y", "x | y")]),
    exact(&["cosd"], MATLAB, &[form("x", "cos(deg2rad(x))")]),
    exact(&["sind"], MATLAB, &[form("x", "sin(deg2rad(x))")]),
    exact(&["tand"], MATLAB, &[form("x", "tan(deg2rad(x))")]),
    exact(&["sec"], MATLAB, &[form("x", "1 / cos(x)")]),
    exact(&["csc"], MATLAB, &[form("x", "1 / sin(x)")]),
    exact(&["cot"], MATLAB, &[form("x", "1 / tan(x)")]),
    exact(&["complex"], TORCH, &[form("re, im", "re + im*1j")]),
    exact(&["polar"], TORCH, &[form("r, theta", "r * exp(theta*1j)")]),
    // Of integers a float.
    exact(&["jax.polyder"], JAX, &[form("p, m?1", "polyder(p / 1, m=m)")]),
    // In the dtype of x; NumPy's is as wide as an integer.
    exact(
        &["jax.vander"],
        JAX,
        &[
            form("x", "x[:, None] ** astype(arange(x.size)[::-1], x.dtype)"),
            form("x, n", "x[:, None] ** astype(arange(n)[::-1], x.dtype)"),
            form("x, increasing=true", "x[:, None] ** astype(arange(x.size), x.dtype)"),
            form("x, n, increasing=true", "x[:, None] ** astype(arange(n), x.dtype)"),
            form("x, increasing=false", "x[:, None] ** astype(arange(x.size)[::-1], x.dtype)"),
            form("x, n, increasing=false", "x[:, None] ** astype(arange(n)[::-1], x.dtype)"),
        ],
    ),
    exact(
        &["vander"],
        NP,
        &[
            form("x", "x[:, None] ** arange(x.size)[::-1]"),
            form("x, n", "x[:, None] ** arange(n)[::-1]"),
            form("x, increasing=true", "x[:, None] ** arange(x.size)"),
            form("x, n, increasing=true", "x[:, None] ** arange(n)"),
            form("x, increasing=false", "x[:, None] ** arange(x.size)[::-1]"),
            form("x, n, increasing=false", "x[:, None] ** arange(n)[::-1]"),
        ],
    ),
];
