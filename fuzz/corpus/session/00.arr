let a = [1, 2, 3]

a + b

let b = 2.5f32
a * b

let a = [1.5, 2.5]
a + b
