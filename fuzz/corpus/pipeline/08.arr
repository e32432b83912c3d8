promotion numpy
i + 1
x + y
u * 2
h + x
