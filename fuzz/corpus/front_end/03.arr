var acc = [0, 0]
acc += [1, 2]
repeat 3 with p = 0 {
  (p + 1)
}
