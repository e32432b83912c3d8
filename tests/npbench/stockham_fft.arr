# A Fourier transform by Stockham's passes of radix 2.
let r = 2
let k = 4
let n = 16
let x = cos(arange(n) * 1.3) + sin(arange(n) * 0.4)*1j
let own = arange(r)
let dft = exp(-2j * pi * own[:, None] * own[None, :] / r)
fn pass(y, r, before, behind) {
  let turned = transpose(reshape(y, (before, r, behind)), axes=(1, 0, 2))
  let twiddle = exp(-2j * pi * arange(r)[:, None] * arange(before)[None, :] / (r * before))
  let d = repeat(reshape(twiddle, (r, before, 1)), behind, axis=2)
  reshape(dft @ reshape(turned * d, (r, -1)), (-1,))
}
let y = pass(x, r, 1, 8)
let y = pass(y, r, 2, 4)
let y = pass(y, r, 4, 2)
let y = pass(y, r, 8, 1)
output re = y.real
output im = y.imag
