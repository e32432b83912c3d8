# A step of a generator of random numbers, in integers that wrap.
input a: _[n]
output y = (a*1103515245 + 12345) & 0x7fffffff
