# Signal processing: the envelope of a recorded sound, from the 16-bit samples of a sound card.
#
# The NumPy original:
#
#     peak = np.max(np.abs(samples))
#     normalized = samples / 32768
#     windowed = normalized * window
#     energy = np.mean(windowed ** 2)
#     db = 10 * np.log10(energy + 1e-12)

input samples: i16[n] in [-32768, 32767]
input window: f32[n]

let peak = max(abs(samples))
let normalized = samples / 32768
let windowed = normalized * window
let energy = mean(windowed**2)
output db = 10 * log10(energy + 1e-12)
output headroom = 32767 - peak
