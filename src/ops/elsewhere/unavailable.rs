//! Names that have no counterpart yet, by field.

use super::{ElsewhereRow, Home, JAX, MATLAB, NP, PYTHON, SCIPY, STD, TORCH, advice, code, form, missing};

const NO_LINALG: &str = "of matrices there are `linalg.solve`, `linalg.inv`, `linalg.lstsq`, `linalg.lu`, `linalg.cholesky`, `linalg.qr`, \
                         `linalg.svd`, `linalg.expm`, `linalg.eigh`, `linalg.eig` and their kin; others are made of them";
const NO_FFT: &str =
    "Fourier transforms are `fft.fft`, `fft.rfft`, `fft.fft2`, `fft.fftn` and their inverses; others are made of them";
const RANDOM: &str = "random numbers are drawn from a key, `random.uniform(random.key(0), (3, 4))`, and other numbers from \
                      another, `random.key(1)`: `random.normal`, `random.randint`, `random.permutation`";
const NO_DRAW: &str = "there are `random.uniform`, `random.randint`, `random.normal` and those beside them in \
                       `arr doc random`; others are made of them";
const NO_TEXT: &str = "there is no text and there are no records, only numbers";
const NO_DATES: &str = "dates are read from tables as whole days, `input day: date[n]`, moments as microseconds, `time[n]`; \
                        differences are numbers";
const NO_FILES: &str =
    "files are bound on the command line, `x=data.npy` or `x=table.csv:column`, or read by `load(\"data.npy\")`";
const NO_WRITING: &str =
    "a script writes no files: name the result, `output y = …`, and say where on the command line: `-o y=y.npy`";
const NO_LOOPS: &str = "loops are written out: `repeat n with s = start { step(s) }` carries values from step to step, and \
                        `scan x with s = start { (next, result) }` goes through rows; running sums, products and extremes are \
                        `cumsum`, `cumprod`, `cummax`, `cummin`";
const WHOLE_ARRAYS: &str = "functions work on whole arrays already: call it with the array";
const NO_GRADIENTS: &str = "derivatives are written by hand; a difference quotient is `(f(x + h) - f(x - h)) / (2*h)`";
const NO_TUNING: &str = "every program is compiled, and nothing needs saying";
const NOTHING: &str = "nothing does its work yet";

/// The rows.
pub(super) static ROWS: &[ElsewhereRow] = &[
    missing(
        &[
            "linalg.logm",
            "linalg.sqrtm",
            "linalg.schur",
            "linalg.lu_factor",
            "linalg.lu_solve",
            "linalg.ldl_factor",
            "null",
            "orth",
        ],
        STD,
        NO_LINALG,
    ),
    missing(
        &[
            "fft.*",
            // Names that there are elsewhere: no slips in those that there are here.
            "fft.hfft2",
            "fft.hfftn",
            "fft.ihfft2",
            "fft.ihfftn",
            "fft.fht",
            "fft.ifht",
            "fft.dct",
            "fft.idct",
            "fft.dst",
            "fft.idst",
            "stft",
            "istft",
            "dct",
            "idct",
        ],
        STD,
        NO_FFT,
    ),
    missing(
        &[
            "random.*",
            "random.ball",
            "random.beta",
            "random.binomial",
            "random.f",
            "random.gamma",
            "random.loggamma",
            "random.lognormal",
            "random.generalized_normal",
            "random.multivariate_normal",
            "random.multinomial",
            "random.maxwell",
            "random.pareto",
            "random.poisson",
            "random.rayleigh",
            "random.t",
            "random.wald",
        ],
        JAX,
        NO_DRAW,
    ),
    advice(
        &[
            "numpy.random.*",
            "rand",
            "randn",
            "randint",
            "random",
            "randperm",
            "bernoulli",
            "multinomial",
            "normal",
            "uniform",
            "shuffle",
            "permutation",
            "default_rng",
            "manual_seed",
            "dropout",
            "rand_like",
            "randn_like",
        ],
        NP,
        RANDOM,
    ),
    code(
        &["numpy.random.shuffle"],
        NP,
        &[form("x", "x = random.permutation(random.key(0), x)")],
        "it gives a new array, in another order with another key",
    ),
    missing(
        &["einsum_path", "dot_general", "lax.dot_general"],
        STD,
        "`einsum(\"bij,bjk->bik\", a, b)` says which axes go along each other",
    ),
    missing(
        &["conv1d", "conv2d", "conv3d", "conv", "lax.conv", "conv_general_dilated", "conv_transpose2d"],
        TORCH,
        "meanwhile sum shifted slices: `k[0]*x[:-2] + k[1]*x[1:-1] + k[2]*x[2:]`",
    ),
    missing(
        &["gaussian_filter", "gaussian_filter1d", "ndimage.gaussian_filter", "ndimage.gaussian_filter1d"],
        SCIPY,
        "meanwhile in a vector `convolve(x, w / sum(w), mode=\"same\")` with `let w = exp(-0.5 * (arange(-3.0, 4.0) / sigma)**2)`",
    ),
    missing(
        &["uniform_filter", "uniform_filter1d", "median_filter", "medfilt"],
        SCIPY,
        "meanwhile of whole windows `mean(sliding_window_view(x, k), axis=-1)`, and `median` of the same",
    ),
    missing(
        &["sobel", "prewitt", "ndimage.sobel", "ndimage.prewitt"],
        SCIPY,
        "meanwhile differences along an axis are `x[2:] - x[:-2]`, and `gradient(x)` keeps the ends",
    ),
    missing(
        &["convolve2d", "correlate2d"],
        SCIPY,
        "meanwhile of whole windows `sum(sliding_window_view(x, w.shape) * w, axis=(-2, -1))` correlates, and convolves with `w[::-1, ::-1]`",
    ),
    missing(
        &["lfilter"],
        SCIPY,
        "meanwhile one step after the other: `scan x with y = 0.0 { (b*x + a*y, b*x + a*y) }` for numbers a and b",
    ),
    missing(
        &["find_peaks"],
        SCIPY,
        "meanwhile what is above both neighbours is at `flatnonzero((x[1:-1] > x[:-2]) & (x[1:-1] > x[2:])) + 1`",
    ),
    missing(
        &["max_pool2d", "avg_pool2d", "max_pool", "avg_pool"],
        TORCH,
        "meanwhile `max(reshape(x, (h//2, 2, w//2, 2)), axis=(1, 3))` of a matrix, and `mean` of the same",
    ),
    missing(
        &["interpolate"],
        TORCH,
        "between known points it is `interp(at, xp, fp)`; gaps are filled by `interp(arange(x.size), flatnonzero(~isnan(x)), x[~isnan(x)])`",
    ),
    missing(
        &["batch_norm"],
        TORCH,
        "meanwhile `(x - mean) / sqrt(var + 1e-5) * weight + bias`, each with `[:, None]` where axes follow the channel",
    ),
    missing(
        &["group_norm", "instance_norm"],
        TORCH,
        "meanwhile `(x - mean(x, axis=-1, keepdims=true)) / sqrt(var(x, axis=-1, keepdims=true) + 1e-5)`",
    ),
    missing(&["scaled_dot_product_attention", "multi_head_attention_forward", "dot_product_attention"], TORCH, NOTHING),
    missing(&["lu_factor", "logcumsumexp", "cumlogsumexp", "cummean"], TORCH, NOTHING),
    code(
        &["roots"],
        NP,
        &[form("p", "linalg.eigvals(concat([-p[1:][None] / p[0], eye(p.size - 2, p.size - 1)]))")],
        "they are the eigenvalues of a matrix, where the first coefficient is not 0",
    ),
    missing(
        &["poly1d", "polynomial.*"],
        NP,
        "a polynomial is a vector of coefficients, that of the highest power first: `polyfit(x, y, deg)`, `polyval`, \
         `poly`, `polyadd`, `polymul`, `polydiv`, `polyder`, `polyint`",
    ),
    missing(
        &["real_if_close"],
        NP,
        "the real part is `z.real`; a dtype is known before anything runs and never follows from data",
    ),
    missing(&["ma.*"], NP, "there are no masked arrays: keep the mask beside the data, `where(mask, x, 0)`"),
    // What is written in another way, or not at all
    advice(
        &["apply_along_axis", "apply_over_axes"],
        NP,
        "functions take an axis: `apply_along_axis(np.sum, 1, x)` is `sum(x, axis=1)`; one of the program is written for the whole array",
    ),
    advice(
        &[
            "vectorize",
            "frompyfunc",
            "vmap",
            "map",
            "apply",
            "applymap",
            "arrayfun",
            "cellfun",
            "bsxfun",
            "lax.map",
            "pmap",
        ],
        NP,
        WHOLE_ARRAYS,
    ),
    advice(
        &["fromiter"],
        NP,
        "there are no iterators: an array is written `[1, 2, 3]`, and values of places are `f(arange(n))`",
    ),
    advice(&["dtype"], NP, "a dtype is its name: `f32`, `i64`; the one of an array is `x.dtype`"),
    advice(
        &["nditer", "ndenumerate", "ndindex"],
        NP,
        "operators and functions work on all elements; the places of n are `arange(n)`, those of n rows and m columns `arange(n)[:, None]` and `arange(m)`",
    ),
    advice(
        &[
            "lax.fori_loop",
            "fori_loop",
            "lax.while_loop",
            "while_loop",
            "lax.scan",
            "scan",
            "associative_scan",
            "lax.reduce",
        ],
        JAX,
        NO_LOOPS,
    ),
    advice(
        &["ufunc.reduce"],
        NP,
        "a fold of the first axis is a loop: `repeat len(x) as i with s = start { f(s, x[i]) }`",
    ),
    advice(
        &["ufunc.accumulate"],
        NP,
        "running values are a scan of the first axis: `scan x with s = start { let s = f(s, x); (s, s) }`",
    ),
    advice(
        &["ufunc.reduceat"],
        NP,
        "sums of stretches are `segment_sum(x, labels, n)`, where `labels` says of each element which stretch it is in; \
         beside it there are `segment_prod`, `segment_min` and `segment_max`",
    ),
    advice(
        &["emath.*"],
        NP,
        "a dtype never follows from data: of numbers that may be negative write `sqrt(c128(x))`, whose result is complex",
    ),
    advice(&["ufunc.outer"], NP, "a function broadcasts: `f(a[:, None], b)`"),
    advice(
        &["grad", "value_and_grad", "jacfwd", "jacrev", "jvp", "vjp", "hessian", "backward", "GradientTape"],
        JAX,
        NO_GRADIENTS,
    ),
    advice(&["jit", "compile", "njit", "no_grad", "checkpoint", "eval_shape"], JAX, NO_TUNING),
    advice(
        &["save", "savez", "savetxt", "savez_compressed", "tofile", "to_csv", "fwrite", "writematrix", "dump"],
        NP,
        NO_WRITING,
    ),
    advice(
        &[
            "loadtxt",
            "genfromtxt",
            "fromfile",
            "fromregex",
            "frombuffer",
            "fromstring",
            "memmap",
            "readmatrix",
            "csvread",
            "open",
        ],
        NP,
        NO_FILES,
    ),
    advice(
        &[
            "array2string",
            "array_repr",
            "array_str",
            "binary_repr",
            "base_repr",
            "format_float_positional",
            "format_float_scientific",
            "set_printoptions",
            "get_printoptions",
            "printoptions",
            "char.*",
            "str",
            "repr",
            "format",
            "num2str",
            "sprintf",
            "strcat",
            "mintypecode",
            "typename",
        ],
        NP,
        "there is no text: a value is printed in full digits, and `--format json` gives all elements",
    ),
    advice(
        &[
            "datetime64",
            "timedelta64",
            "busday_count",
            "busday_offset",
            "is_busday",
            "busdaycalendar",
            "datetime_as_string",
            "datetime_data",
            "isnat",
            "to_datetime",
            "date_range",
        ],
        NP,
        NO_DATES,
    ),
    advice(
        &[
            "floating",
            "integer",
            "inexact",
            "number",
            "signedinteger",
            "unsignedinteger",
            "complexfloating",
            "flexible",
            "character",
        ],
        NP,
        "kinds of dtypes are asked for by name: `isdtype(x.dtype, \"real floating\")`",
    ),
    advice(&["str_", "bytes_", "string", "object_", "object", "void", "recarray", "record"], NP, NO_TEXT),
    advice(&["rec.*"], NP, NO_TEXT),
    advice(
        &["complex256", "clongdouble", "float128", "longdouble", "longcomplex"],
        NP,
        "the widest float is f64, the widest complex dtype c128",
    ),
    advice(
        &[
            "may_share_memory",
            "shares_memory",
            "isfortran",
            "getbufsize",
            "setbufsize",
            "nested_iters",
            "flatiter",
            "generic",
            "ufunc",
        ],
        NP,
        "arrays are values here: they share nothing that could be seen, and their layout is nobody's business",
    ),
    advice(
        &[
            "isscalar",
            "iscomplexobj",
            "isrealobj",
            "issubdtype",
            "iterable",
            "is_numeric",
            "is_floating_point",
            "is_complex",
            "is_tensor",
            "isa",
            "isinstance",
            "type",
            "class",
            "isnumeric",
        ],
        NP,
        "dtypes and shapes are known before anything runs: `x.dtype`, `x.shape` and `x.ndim` say them, `arr explain` tells why",
    ),
    advice(
        &["geterr", "seterr", "geterrcall", "seterrcall", "errstate"],
        NP,
        "nothing traps; `promotion checked` turns overflow and division by zero into located errors",
    ),
    advice(
        &["info", "help", "doc", "who", "whos", "show_config", "show_runtime", "get_include", "test", "lookfor"],
        &[Home::NumPy, Home::Python],
        "`arr doc` lists the functions, `arr doc NAME` explains one",
    ),
    advice(
        &["matrix", "asmatrix", "mat"],
        NP,
        "an array of two axes is a matrix already, and products of matrices are written `@`",
    ),
    advice(
        &["expand"],
        TORCH,
        "axes are repeated by `broadcast_to(x, shape)`, as in `broadcast_to(x, (2, 3))`; for -1 write the length",
    ),
    advice(
        &["byteswap", "newbyteorder"],
        NP,
        "numbers have no order of bytes here; a file is read by the one it states",
    ),
    advice(&["broadcast"], NP, "shapes broadcast by themselves; a shape that is given is `broadcast_to(x, shape)`"),
    advice(&["testing.*", "assert_allclose", "assert_array_equal"], NP, "write `assert all(isclose(x, y))`"),
    advice(
        &["fsolve", "minimize", "odeint", "solve_ivp", "quad", "fzero", "ode45", "integral", "fminsearch"],
        &[Home::SciPy, Home::Matlab],
        NO_LOOPS,
    ),
    advice(
        &["tic", "toc", "timeit", "perf_counter"],
        MATLAB,
        "`arr bench FILE` measures a script, `:time EXPR` an expression in the REPL",
    ),
    advice(&["figure", "plot", "imshow"], MATLAB, "`:plot x` draws in the REPL"),
    advice(
        &["layers.*"],
        TORCH,
        "a layer is a function of its weights, which are inputs: `fn linear(x, w, b) = x @ w.T + b`; activations are \
         `relu`, `gelu`, `softmax` and others",
    ),
    advice(&["plt.*"], PYTHON, "`:plot x` draws in the REPL; a script gives its results to whoever draws them"),
    advice(&["typecast"], MATLAB, "the same bits as another dtype are `bitcast(x, u32)`"),
    advice(&["inputname", "input"], PYTHON, "an input is declared, `input x: f32[n]`, and bound on the command line"),
];
