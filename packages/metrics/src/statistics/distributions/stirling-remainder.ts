const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI)
const REMOTE = 16

/**
 * What Stirling's formula leaves out: ln Γ(z) − ((z − ½) ln z − z + ½ ln 2π), for z > 0.
 *
 * The large terms of ln Γ cancel in a binomial probability; computing with the remainder alone keeps all digits there
 * (Loader, "Fast and accurate computation of binomial probabilities", 2000). Series: DLMF 5.11.1.
 */
export function stirlingRemainder(z: number): number {
  if (z >= REMOTE) return series(z)
  let product = 1
  let remote = z
  for (; remote < REMOTE; remote++) product *= remote
  const logGamma = series(remote) + (remote - 0.5) * Math.log(remote) - remote + HALF_LOG_TWO_PI - Math.log(product)
  return logGamma - ((z - 0.5) * Math.log(z) - z + HALF_LOG_TWO_PI)
}

function series(z: number): number {
  const square = 1 / (z * z)
  return (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square * (1 / 1188))))) / z
}
