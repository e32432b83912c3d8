var total = 0i32
total += 3

total += 2147483647
total

total = [1]

total
