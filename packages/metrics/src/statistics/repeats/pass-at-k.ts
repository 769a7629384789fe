import { checkRepeats } from "./check-repeats.ts"

/**
 * How probable at least one of `k` answers is right, when `successes` of `repeats` were: 1 − C(n−c, k) / C(n, k), without
 * bias. Source: Chen et al., arXiv 2107.03374. Throws `invalid_request`.
 */
export function passAtK(repeats: number, successes: number, k: number): number {
  checkRepeats(repeats, successes, k)
  if (repeats - successes < k) return 1
  let allWrong = 1
  for (let at = repeats - successes + 1; at <= repeats; at++) allWrong *= 1 - k / at
  return 1 - allWrong
}
