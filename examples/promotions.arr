# The same ten expressions under every system: what do two dtypes meet as?
#
#     arr check --compare jax,numpy,torch,tf,tf-numpy,rfc examples/promotions.arr

input a: i8[3] = [-1, 2, 3]
input b: u32[3] = [1, 2, 3]
input i: i32[3] = [6, 7, 8]
input l: i64[3] = [4, 5, 6]
input u: u64[3] = [1, 2, 3]
input h: f16[3] = [0.5, 1.5, 2.5]
input x: f32[3] = [1.5, 2.5, 3.5]
input m: bool[3] = [true, false, true]

a + b
u + l
i * x
l * h
i / i
i + 1.5
a + 200.0
m + 1
sqrt(a)
sum(a)
