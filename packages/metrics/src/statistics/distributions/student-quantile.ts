import { betaQuantile } from "./beta-distribution.ts"
import { normalQuantile } from "./normal-distribution.ts"

/**
 * Returns the number that Student's t with `degreesOfFreedom` stays below with probability `p`: 2.042 for 0.975 and 30.
 * With infinite degrees of freedom it is the normal distribution. Source: DLMF 8.17 and Abramowitz and Stegun 26.7.1.
 */
export function studentQuantile(p: number, degreesOfFreedom: number): number {
  if (degreesOfFreedom === Infinity || p === 0.5) return normalQuantile(p)
  const both = 2 * Math.min(p, 1 - p)
  const share = betaQuantile(both, degreesOfFreedom / 2, 0.5)
  const size = Math.sqrt((degreesOfFreedom * (1 - share)) / share)
  return p < 0.5 ? -size : size
}
