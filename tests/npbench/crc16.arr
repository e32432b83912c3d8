# A check sum of 16 bits, bit by bit.
let data = (arange(40)*73 + 11) % 256
let poly = 0x8408
let crc = repeat 40 as at with crc = 0xffff {
  let (crc, _) = repeat 8 with crc = crc, byte = data[at] {
    let odd = (crc & 1) ^ (byte & 1)
    (where(odd != 0, (crc >> 1) ^ poly, crc >> 1), byte >> 1)
  }
  crc
}
let crc = ~crc & 0xffff
output sum16 = ((crc << 8) | ((crc >> 8) & 0xff)) & 0xffff
