promotion numpy safe

[1i8] + [300i32]

promotion jax none
[1i8] + [1.5f32]

assert 1 > 2, "never"

let x = sum([1, 2][3:])
x
