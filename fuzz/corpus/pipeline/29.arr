let p = repeat 5 with a = x { a * 0.5 + 1 }
p
