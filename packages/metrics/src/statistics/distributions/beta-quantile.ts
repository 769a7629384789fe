import { betaProbability } from "./beta-probability.ts"

const MAX_HALVINGS = 1100

/** The number that a Beta(a, b) variable stays below with probability `p`, found by bisection to the last digit but one. */
export function betaQuantile(p: number, a: number, b: number): number {
  let low = 0
  let high = 1
  for (let step = 0; step < MAX_HALVINGS; step++) {
    const middle = (low + high) / 2
    if (high - low <= Number.EPSILON * middle || middle === low || middle === high) break
    if (betaProbability(middle, a, b) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}
