# Distances between all cities of a table on the sphere, and questions about them.
promotion numpy safe

let lat: f64[city] = load("data/cities.csv:lat")
let lon: f64[city] = load("data/cities.csv:lon")
## Mean radius of the earth in km.
input radius: f64 in [1, 1e6] = 6371.0088

fn radians(degrees) = degrees * (pi / 180)

## Distance along the sphere between places, angles in radians: accurate also where they are close.
fn haversine(lat1, lon1, lat2, lon2) {
  let h = sin((lat2 - lat1) / 2)**2 + cos(lat1)*cos(lat2)*sin((lon2 - lon1) / 2)**2
  2 * asin(sqrt(minimum(h, 1)))
}

let (phi, lambda) = (radians(lat), radians(lon))
let km = radius * haversine(phi[:, None], lambda[:, None], phi, lambda)

# A city is not its own neighbour.
let apart = where(eye(city, dtype=bool), inf, km)

output from_tokyo = km[0]
output neighbour = argmin(apart, axis=1)
output neighbour_km = min(apart, axis=1)
output farthest_apart = max(km)
output farthest_pair = stack((argmax(km) // city, argmax(km) % city))
output most_central = argmin(mean(km, axis=1))
output loneliest = argmax(min(apart, axis=1))
