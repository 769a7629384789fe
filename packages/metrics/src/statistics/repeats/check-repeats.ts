import { checkArgument } from "../check-argument.ts"

/** Throws an `invalid_request` unless `successes` of `repeats` and a draw of `k` among them are possible. */
export function checkRepeats(repeats: number, successes: number, k: number): void {
  const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0
  checkArgument(isCount(repeats), "repeats", repeats, "a count")
  checkArgument(isCount(successes) && successes <= repeats, "successes", successes, `a count up to ${repeats}`)
  checkArgument(isCount(k) && k > 0 && k <= repeats, "k", k, `a whole number from 1 to ${repeats}`)
}
