## doc
let größe = 1 # é
größe.T
