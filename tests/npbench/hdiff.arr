# Horizontal diffusion of a weather model.
let i = 6
let j = 7
let k = 4
let field = reshape(arange((i + 4) * (j + 4) * k), i + 4, j + 4, k) * 37 % 41 / 41.0
let coeff = reshape(arange(i * j * k), i, j, k) * 29 % 31 / 31.0
let lap = 4.0*field[1:i+3, 1:j+3, :] - (
  field[2:i+4, 1:j+3, :] + field[0:i+2, 1:j+3, :] + field[1:i+3, 2:j+4, :] + field[1:i+3, 0:j+2, :]
)
let res = lap[1:, 1:j+1, :] - lap[:-1, 1:j+1, :]
let flx = where(res*(field[2:i+3, 2:j+2, :] - field[1:i+2, 2:j+2, :]) > 0, 0, res)
let res = lap[1:i+1, 1:, :] - lap[1:i+1, :-1, :]
let fly = where(res*(field[2:i+2, 2:j+3, :] - field[2:i+2, 1:j+2, :]) > 0, 0, res)
output y = field[2:i+2, 2:j+2, :] - coeff*(flx[1:, :, :] - flx[:-1, :, :] + fly[:, 1:, :] - fly[:, :-1, :])
