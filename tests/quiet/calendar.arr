# Seconds of a clock as days, hours, minutes; divisions by what is never 0.
input seconds: i64[n] in [0, 4_000_000_000]
let day = seconds // 86400
let rest = seconds % 86400
output weekday = (day + 4) % 7
output hour = rest // 3600
output minute = rest % 3600 // 60
output noon = abs(rest - 43200) < 60
