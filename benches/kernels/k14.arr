# A step of Mandelbrot's iteration.
input z: _[n]
input c: _[n]
output y = z*z + c
