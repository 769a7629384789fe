import { checkArgument } from "../check-argument.ts"

/** Throws an `invalid_request` unless `successes` of `n` is possible. `n` need not be whole: it may be an effective size. */
export function checkCounts(successes: number, n: number): void {
  checkArgument(n >= 0 && n < Infinity, "n", n, "a number of rows, 0 or more")
  checkArgument(successes >= 0 && successes <= n, "successes", successes, `a number from 0 to n, which is ${n}`)
}
