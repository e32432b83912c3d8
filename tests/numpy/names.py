"""Writes names.txt, the names that people bring along, and rewritten.txt, what calls of some of them give.

    python3 tests/numpy/names.py tests/numpy

functions.txt has the functions of NumPy, without its classes and modules.
names.txt has one name a line, behind its module. The names of NumPy and of `math` are those of the installed versions;
the others are the functions of the array API standard 2025.12 and the common ones of JAX, PyTorch, SciPy, TensorFlow,
pandas and MATLAB. rewritten.txt has a call over the arrays below, the shape of its value and its elements: what the code
that the message proposes must give too. `~` before a call: its value is a fix, so the message has one.
"""

import inspect
import math
import sys
from pathlib import Path

import numpy as np

ARRAY_API = """
abs acos acosh add all any arange argmax argmin argsort asarray asin asinh astype atan atan2 atanh bitwise_and bitwise_invert
bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor broadcast_arrays broadcast_shapes broadcast_to can_cast ceil clip
concat conj copysign cos cosh count_nonzero cumulative_prod cumulative_sum diff divide empty empty_like equal exp expand_dims
expm1 eye finfo flip floor floor_divide from_dlpack full full_like greater greater_equal hypot iinfo imag isdtype isfinite isin
isinf isnan less less_equal linspace log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor matmul
matrix_transpose max maximum mean meshgrid min minimum moveaxis multiply negative nextafter nonzero not_equal ones ones_like
permute_dims positive pow prod real reciprocal remainder repeat reshape result_type roll round searchsorted sign signbit sin
sinh sort sqrt square squeeze stack std subtract sum take take_along_axis tan tanh tensordot tile top_k tril triu trunc
unique_all unique_counts unique_inverse unique_values unstack var vecdot where zeros zeros_like broadcast_shapes
linalg.cholesky linalg.cross linalg.det linalg.diagonal linalg.eig linalg.eigh linalg.eigvals linalg.eigvalsh linalg.inv
linalg.matmul linalg.matrix_norm linalg.matrix_power linalg.matrix_rank linalg.matrix_transpose linalg.outer linalg.pinv
linalg.qr linalg.slogdet linalg.solve linalg.svd linalg.svdvals linalg.tensordot linalg.trace linalg.vecdot linalg.vector_norm
fft.fft fft.ifft fft.fftn fft.ifftn fft.rfft fft.irfft fft.rfftn fft.irfftn fft.hfft fft.ihfft fft.fftfreq fft.rfftfreq
fft.fftshift fft.ifftshift
"""
OTHERS = {
    "jax": "jit grad vmap pmap value_and_grad jacfwd jacrev hessian device_put block_until_ready",
    "jax.nn": """relu relu6 sigmoid softplus sparse_plus silu swish log_sigmoid leaky_relu hard_sigmoid hard_silu hard_swish
        hard_tanh elu celu selu gelu glu squareplus mish identity softmax log_softmax logsumexp standardize one_hot soft_sign
        dot_product_attention""",
    "jax.lax": """abs add sub mul div rem neg max min pow integer_pow exp log log1p expm1 sqrt rsqrt cbrt sin cos tan tanh sinh
        cosh asin acos atan atan2 asinh acosh atanh erf erfc erf_inv lgamma digamma floor ceil round sign square select clamp
        eq ne lt le gt ge bitwise_and bitwise_or bitwise_not bitwise_xor shift_left shift_right_arithmetic population_count
        clz convert_element_type bitcast_convert_type broadcast concatenate cumsum cumprod cummax cummin cumlogsumexp dot
        dot_general conv fori_loop while_loop scan map cond switch reduce sort top_k argmax argmin iota nextafter is_finite
        stop_gradient real imag conj complex reciprocal""",
    "torch": """abs absolute acos add addcmul all allclose amax amin aminmax angle any arange arccos argmax argmin argsort
        as_tensor asin atan atan2 bernoulli bincount bitwise_and bmm broadcast_to bucketize cat ceil chunk clamp clip clone
        complex concat conj copysign cos cosh count_nonzero cov cross cummax cummin cumprod cumsum deg2rad det diag diagonal
        diff div dot einsum empty eq erf erfc erfinv exp exp2 expm1 eye fix flatten flip floor floor_divide fmax fmin fmod frac
        full full_like gather gcd ge greater gt hstack histc hypot index_select inner inverse isclose isfinite isin isinf isnan
        kron lcm le lerp less lgamma linspace log log10 log1p log2 logaddexp logical_and logsumexp lt masked_fill
        masked_select matmul max maximum mean median meshgrid min minimum mm movedim mul multinomial mv nan_to_num nanmean
        nansum ne neg nextafter nonzero norm normal one_hot ones ones_like outer permute polar pow prod quantile rad2deg rand
        randint randn randperm ravel real reciprocal relu remainder repeat_interleave reshape roll rot90 round rsqrt scatter
        sgn sigmoid sign signbit sin sinc softmax sort split sqrt square squeeze stack std std_mean sub sum swapaxes take tan
        tanh tensor tensordot tile topk trace transpose trapezoid tril triu true_divide trunc unbind unique unsqueeze var
        var_mean vdot vstack where zeros zeros_like no_grad from_numpy""",
    "torch.nn.functional": """relu relu6 gelu silu mish softplus sigmoid tanh hardtanh leaky_relu elu selu softsign tanhshrink
        logsigmoid softmax log_softmax cross_entropy mse_loss l1_loss linear conv1d conv2d max_pool2d avg_pool2d dropout
        layer_norm batch_norm one_hot pad interpolate embedding cosine_similarity scaled_dot_product_attention""",
    "scipy.special": """expit logit erf erfc erfinv gamma gammaln beta betaln digamma psi xlogy xlog1py entr logsumexp softmax
        log_softmax ndtr ndtri comb perm factorial binom i0 i1 zeta gammainc betainc log_expit""",
    "tf": """reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_any reduce_all reduce_std reduce_variance cast
        concat stack reshape transpose where gather boolean_mask clip_by_value one_hot squared_difference divide_no_nan
        convert_to_tensor matmul einsum""",
    "pd": "isna isnull notna to_datetime cut read_csv DataFrame Series",
    "": """numel length isempty ndims disp fprintf repmat cat horzcat vertcat permute circshift find nnz rem mod fix trapz interp1
        histc hist accumarray ismember sortrows median mode prctile nchoosek rms bitand bitor bitxor bitshift cosd sind sec csc
        cot logical double single typecast intmax intmin num2str cellfun arrayfun bsxfun fliplr flipud mldivide inv det expm
        polyfit polyval linspace fft ifft rand randn zscore fillna dropna groupby rolling pct_change nunique value_counts
        idxmax idxmin between astype item tolist copy print len range sorted enumerate zip float int list""",
}

x = np.array([3.0, 1.0, 2.0, 5.0])
y = np.array([1.0, 4.0, 2.0, 0.5])
i = np.array([7, -3, 12, 0])
m = np.arange(12.0).reshape(3, 4)
s = np.array([[2.0, 1.0], [1.0, 3.0]])
h = np.array([1.0, np.nan, -2.0, np.nan])
z = np.array([1 + 2j, 3 - 1j])
c = np.array([[0], [1], [2]])
b = np.array([True, False, True, True])

CALLS = """
np.outer(x, y)
~2 / np.hanning(5)[1]
np.inner(x, y)
np.kron(x, y)
np.vdot(z, z)
~np.vecdot(m, m)
np.matmul(m, m.T)
np.matvec(m, x)
np.cross(x[:3], y[:3])
np.trace(s)
np.diag(s)
np.linalg.det(s)
~np.tril(m)
~np.tril(m, -1)
~np.triu(m, k=1)
np.tri(3)
np.identity(3)
~np.repeat(x, 3)
~np.repeat(m, 2, axis=1)
np.tile(x, 2)
~np.fliplr(m)
~np.flipud(m)
~np.rot90(m)
~np.matrix_transpose(m)
~np.append(x, y)
np.insert(x, 1, 9.0)
np.delete(x, 2)
np.resize(x, 6)
~np.average(x)
~np.average(m, axis=0)
~np.average(x, weights=y)
~np.nanstd(h)
~np.nanvar(m, axis=1)
np.nanprod(h)
~np.nancumsum(h)
~np.nanargmax(h)
~np.nanargmin(h)
~np.allclose(x, y)
~np.allclose(x, x + 1e-9, rtol=1e-3)
np.array_equal(x, y)
~np.maximum.accumulate(m)
~np.minimum.accumulate(x)
~np.add.reduce(m)
~np.multiply.reduce(m, axis=1)
~np.logical_or.reduce(b)
~np.minimum.reduce(m, axis=0, keepdims=True)
~np.maximum.reduce(m, keepdims=True)
~np.add.reduce(m, axis=1, where=m > 4)
~np.add.reduce(m, 0, None, initial=2)
~np.minimum.reduce(x, initial=9, where=x > 2)
~np.logical_and.reduce(m > 4, axis=1, keepdims=True)
~np.logaddexp.reduce(m)
~np.logaddexp.reduce(m, axis=1, keepdims=True)
~np.gcd.reduce(i[:2] * 6)
~np.lcm.reduce(i[:2])
~np.lcm.reduce(i[:1] - 11)
np.hypot.reduce(m, axis=1)
np.fmax.reduce(h)
np.logical_and.accumulate(b)
np.logical_or.accumulate(m > 4, axis=1)
np.gcd.outer(i, i)
np.arctan2.outer(x, y)
np.less_equal.outer(x, y)
np.remainder.outer(x, y)
np.subtract.outer(x, y)
~np.trapezoid(x)
~np.trapezoid(x, y)
~np.trapezoid(x, dx=0.5)
np.gradient(x)
np.gradient(x, 0.5)
np.convolve(x, y)
np.correlate(x, y[:2])
~np.ediff1d(m)
~np.polyval(x, y)
np.corrcoef(x, y)[0, 1]
np.cov(x, y)[0, 1]
np.cov(m)
~np.isin(x, y)
~np.isposinf(x)
~np.isneginf(x)
~np.iscomplex(z)
~np.isreal(z)
np.fabs(x)
np.reciprocal(x)
np.float_power(x, y)
np.nan_to_num(h)
np.nan_to_num(h, nan=7.0)
np.ldexp(x, 2)
np.vander(x)
~np.vander(x, 3)
~np.meshgrid(x, y)
~np.logspace(0, 2, 5)
~np.geomspace(1, 100, 5)
~np.hanning(5)
~np.hamming(5)
~np.blackman(5)
~np.bartlett(5)
~np.fft.fftfreq(5)
~np.fft.fftfreq(4, 0.5)
~np.fft.rfftfreq(5)
~np.fft.fftshift(x)
~np.fft.ifftshift(x[:3])
~np.size(m)
~np.size(m, 1)
~np.ndim(m)
~np.linalg.matrix_norm(m)
np.bincount([0, 2, 2], minlength=4)
np.take_along_axis(m, c, axis=1)
~np.heaviside(x - 2, 0.5)
~np.sinc(x - 2)
~np.array([1, 2], dtype=np.float32)
~np.asarray(x)
~np.copy(x)
np.bitwise_count(i)
np.put(x, 1, 9.0)
~np.divmod(i, 4)
np.modf(x)
math.log(8, 2)
math.factorial(5)
math.comb(5, 2)
math.isqrt(17)
math.dist(x, y)
math.fsum(x)
~len(x)
"""

# What names mean that give no array in NumPy, or need more than one statement there.
OWN = {"np.put(x, 1, 9.0)": np.array([3.0, 9.0, 2.0, 5.0]), "math.dist(x, y)": np.linalg.norm(x - y)}


def numbers(value):
    value = np.stack(value) if isinstance(value, tuple) else np.asarray(value)
    if np.iscomplexobj(value):
        value = np.stack([value.real, value.imag])
    value = value.astype(np.float64)
    return value


def main(folder):
    names = [f"np.{name}" for name in dir(np) if not name.startswith("_") and callable(getattr(np, name))]
    names = [name for name in names if not isinstance(getattr(np, name[3:]), type)]
    (folder / "functions.txt").write_text("\n".join(name[3:] for name in names) + "\n")
    for module in ("linalg", "fft"):
        own = getattr(np, module)
        names += [f"np.{module}.{name}" for name in dir(own) if not name.startswith("_") and inspect.isroutine(getattr(own, name)) and name != "test"]
    names += [f"math.{name}" for name in dir(math) if not name.startswith("_")]
    names += [f"xp.{name}" for name in ARRAY_API.split()]
    for module, list_of in OTHERS.items():
        names += [f"{module}.{name}" if module else name for name in list_of.split()]
    (folder / "names.txt").write_text("\n".join(dict.fromkeys(names)) + "\n")
    lines = []
    for call in CALLS.strip().splitlines():
        text = call.lstrip("~")
        value = numbers(OWN[text] if text in OWN else eval(text))
        shape = " ".join(map(str, value.shape))
        lines.append(f"{call}\t{shape}\t" + " ".join(repr(float(item)) for item in value.ravel()))
    (folder / "rewritten.txt").write_text("\n".join(lines) + "\n")


main(Path(sys.argv[1]))
