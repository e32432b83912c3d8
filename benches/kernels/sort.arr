# In ascending order.
input x: _[n]
output y = sort(x)
