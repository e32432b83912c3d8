# An activation of neural networks, by its tanh formula.
input x: _[n]
output y = 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715*x*x*x)))
