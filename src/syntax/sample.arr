promotion jax-strict safe, width=32, checked
promotion "my.toml" none
## Sensor counts, one row per channel.
input counts: u16[c, t] in [0, 4095]   # a parameter
input gain: f32[c, 1] = 1.0            # with a default (a scalar fills the shape)
let raw: i16[c, t] = load("raw.npy")   # dtype and shape come from the header; if the file is absent, check uses the annotation
let volts = f32(counts) * gain         # inferred
let base: f32[c, 1] = mean(volts, axis=1, keepdims=true)
fn z(x, m, s) = (x - m) / s            # polymorphic: checked at each call with the actual types
fn softplus(x) {                       # block body: lets, then one expression
  let y = -abs(x)
  log1p(exp(y)) + maximum(x, 0)
}
fn minmax(x: f32[..], k=1) -> f32[n-1, 2*n] = (min(x), max(x))        # several results
let (lo, hi) = minmax(volts)
var acc = zeros_like(volts)            # a var hardens at its declaration; dtype and shape stay
acc += volts
acc[:, 0] = 0                          # slice assignment, same rule
repeat 100 with p = p0, v = v0 {       # bounded loop: carried values of fixed type; the last tuple is the next state
  let a = -k * p
  (p + dt*v, v + dt*a)
}
let (p, v) = repeat n + 1 with p = p0 { p }
output score = z(volts, base, std(volts))
score                                  # a bare expression prints its value
output score; assert x == y
use "lib.arr"
let t = (a,)
let input = 3; let output = input + 1; let repeat = 4; let with = 1; let in = 2
input = 4
assert = 3
let q = a[0, 1:, ::2, ..., None, :] + x.T.shape[0] ** -2 ** 3 @ not_x
let q = not 0 <= x < 1 and a | b ^ c & d << 2 or ~x
let t = ()
let s = 1.5f16 - -128i8 * 0x1.8p3 / 2j // .5
fn f(x) { x }
fn f(x) {
  repeat n with a = x {
     a + 1 }
}
input in: f32[3] in [0, 1,]
let s = x.f(a, b, axis=0,)[1:,]
