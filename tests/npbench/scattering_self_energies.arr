# Self-energies: products of small matrices, summed over energies, momenta and neighbours.
let nk = 2
let ne = 3
let nq = 2
let nw = 2
let nd = 2
let na = 3
let nb = 2
let no = 2
let neighbours = (arange(na)[:, None] + arange(nb)[None, :] + 1) % na
fn made(shape, count, k) = reshape(cos(arange(count) * k) + sin(arange(count) * (k + 0.5))*1j, shape)
let dh = made((na, nb, nd, no, no), na * nb * nd * no * no, 0.3)
let g = made((nk, ne, na, no, no), nk * ne * na * no * no, 0.7)
let d = made((nq, nw, na, nb, nd, nd), nq * nw * na * nb * nd * nd, 1.1)
fn at(index, len) = (index // len, index % len)
let start = zeros((nk, ne, na, no, no), dtype=c128)
let sigma = repeat nk as k with sigma = start {
  repeat ne as e with sigma = sigma {
    repeat nq as q with sigma = sigma {
      repeat minimum(nw, e + 1) as w with sigma = sigma {
        repeat nd as i with sigma = sigma {
          repeat nd as j with sigma = sigma {
            repeat na as a with sigma = sigma {
              repeat nb as b with sigma = sigma {
                let dhg = g[k, e-w, neighbours[a, b]] @ dh[a, b, i]
                let dhd = dh[a, b, j] * d[q, w, a, b, i, j]
                var next = sigma
                next[k, e, a] += dhg @ dhd
                next
              }
            }
          }
        }
      }
    }
  }
}
output re = sigma.real
output im = sigma.imag
