"""Writes array_api.txt: the functions of the Python array API standard 2025.12, section by section.

The lists are those of the standard's pages "API specification", with its extensions linalg and fft; `linalg` is a function of the
extension that needs the library of that feature, `products` one that does not. A line is a section, a name, a tab, and a call of it."""

SECTIONS = {
    "creation": """arange(3) asarray([1, 2]) empty(2) empty_like(x) eye(2) from_dlpack(x) full(2, 7) full_like(x, 7) linspace(0, 1, 5)
        meshgrid(x, y) ones(2) ones_like(x) tril(m) triu(m) zeros(2) zeros_like(x)""",
    "data type": """astype(x, f32) can_cast(f32, f64) finfo(f32).eps iinfo(i32).max isdtype(f32, "real floating")
        zeros(1, dtype=result_type(f32, i8))""",
    "elementwise": """abs(x) acos(u) acosh(x) add(x, y) asin(u) asinh(x) atan(x) atan2(x, y) atanh(u) bitwise_and(i, i)
        bitwise_left_shift(i, i) bitwise_invert(i) bitwise_or(i, i) bitwise_right_shift(i, i) bitwise_xor(i, i) ceil(x)
        clip(x, 0, 1) conj(z) copysign(x, y) cos(x) cosh(x) divide(x, y) equal(x, y) exp(x) expm1(x) floor(x)
        floor_divide(x, y) greater(x, y) greater_equal(x, y) hypot(x, y) imag(z) isfinite(x) isinf(x) isnan(x) less(x, y)
        less_equal(x, y) log(x) log1p(x) log2(x) log10(x) logaddexp(x, y) logical_and(b, b) logical_not(b) logical_or(b, b)
        logical_xor(b, b) maximum(x, y) minimum(x, y) multiply(x, y) negative(x) nextafter(x, y) not_equal(x, y) positive(x)
        pow(x, y) real(z) reciprocal(x) remainder(x, y) round(x) sign(x) signbit(x) sin(x) sinh(x) square(x) sqrt(x)
        subtract(x, y) tan(x) tanh(x) trunc(x)""",
    "indexing": "take(x, i) take_along_axis(x, i)",
    "manipulation": """broadcast_arrays(x, y) broadcast_to(x, (2, 2)) concat([x, y]) expand_dims(x, axis=0) flip(x)
        moveaxis(m, 0, 1) permute_dims(m, (1, 0)) repeat(x, 2) reshape(x, (2, 1)) roll(x, 1) squeeze(x) stack([x, y])
        tile(x, 2) unstack(m)""",
    "inspection": "zeros(broadcast_shapes((2, 1), (3,)))",
    "searching": "argmax(x) argmin(x) count_nonzero(x) nonzero(x) searchsorted(x, y) where(b, x, y)",
    "set": "isin(x, y) unique_all(x) unique_counts(x) unique_inverse(x) unique_values(x)",
    "sorting": "argsort(x) sort(x)",
    "statistical": """cumulative_prod(x) cumulative_sum(x) max(x) mean(x) min(x) prod(x) std(x, correction=1.0)
        sum(x, dtype=f32) var(x, correction=1.0)""",
    "linear algebra": "matmul(m, m) matrix_transpose(m) tensordot(m, m) vecdot(x, y)",
    "products": """linalg.cross([1, 2, 3], [4, 5, 6], axis=-1) linalg.diagonal(m, offset=1) linalg.matmul(m, m)
        linalg.matrix_norm(m, ord=inf, keepdims=true)
        linalg.matrix_power(m, 2) linalg.matrix_transpose(m) linalg.outer(x, y) linalg.tensordot(m, m, axes=1)
        linalg.trace(m, offset=0, dtype=f32) linalg.vecdot(x, y, axis=-1) linalg.vector_norm(m, axis=0, keepdims=true, ord=1)""",
    "linalg": """linalg.cholesky(eye(2), upper=true) linalg.det(m) linalg.eig(m) linalg.eigh(m) linalg.eigvals(m) linalg.eigvalsh(m) linalg.inv(m)
        linalg.matrix_rank(m, rtol=0.1) linalg.pinv(m, rtol=0.1) linalg.qr(m, mode="complete") linalg.slogdet(m) linalg.solve(m, x) linalg.svd(m, full_matrices=false) linalg.svdvals(m)""",
    "fft": """fft.fft(x, n=4, axis=-1, norm="ortho") fft.ifft(z) fft.fftn(m, s=(2, 2), axes=(0, 1)) fft.ifftn(m) fft.rfft(x) fft.irfft(z) fft.rfftn(m) fft.irfftn(m) fft.hfft(z) fft.ihfft(x)
        fft.fftfreq(4) fft.rfftfreq(4) fft.fftshift(x) fft.ifftshift(x)""",
    "utility": "all(b) any(b) diff(x)",
}

def calls(text):
    depth, word = 0, ""
    for c in " ".join(text.split()) + " ":
        if c == " " and depth == 0:
            yield word
            word = ""
            continue
        depth += c in "([" or -(c in ")]")
        word += c

with open(__file__.replace(".py", ".txt"), "w") as out:
    for section, text in SECTIONS.items():
        for call in calls(text):
            name = call.split("(")[0]
            if name == "zeros" and "result_type" in call:
                name = "result_type"
            if name == "zeros" and "broadcast_shapes" in call:
                name = "broadcast_shapes"
            out.write(f"{section}\t{name}\t{call}\n")
