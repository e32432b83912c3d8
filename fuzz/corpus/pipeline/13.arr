promotion tf-numpy
h * e
y - l
