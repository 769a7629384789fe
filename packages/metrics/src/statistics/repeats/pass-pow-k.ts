import { checkRepeats } from "./check-repeats.ts"

/**
 * How probable all of `k` answers are right, when `successes` of `repeats` were: pass^k, C(c, k) / C(n, k), without bias.
 * Source: Yao et al., τ-bench, arXiv 2406.12045. Throws `invalid_request`.
 */
export function passPowK(repeats: number, successes: number, k: number): number {
  checkRepeats(repeats, successes, k)
  let allRight = 1
  for (let drawn = 0; drawn < k; drawn++) allRight *= Math.max(0, successes - drawn) / (repeats - drawn)
  return allRight
}
