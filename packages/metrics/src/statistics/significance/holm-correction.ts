import type { GateVerdict } from "./gate.ts"

/** Returns the verdict of a test that may be wrong with this probability. A smaller level decides nothing that a larger one leaves open. */
export type LevelledTest = (level: number) => GateVerdict

export interface JointVerdict {
  readonly verdict: GateVerdict
  /** The level at which the test was decided, or at which it is open. */
  readonly level: number
}

/**
 * Decides several tests by Holm's procedure, so that the probability of any wrong verdict among them is at most `alpha`, however the tests depend on each
 * other: those that are decided at alpha / m, then the others of the m that are left at alpha / m again, until none is decided any more.
 *
 * Source: Holm, Scandinavian Journal of Statistics 6 (1979), 65–70.
 */
export function decideTogether(tests: readonly LevelledTest[], alpha: number): readonly JointVerdict[] {
  const decided = new Map<number, JointVerdict>()
  for (;;) {
    const left = tests.length - decided.size
    const level = alpha / Math.max(1, left)
    const found = tests.flatMap((test, at): readonly (readonly [number, JointVerdict])[] => {
      const verdict = decided.has(at) ? "INCONCLUSIVE" : test(level)
      return verdict === "INCONCLUSIVE" ? [] : [[at, { verdict, level }]]
    })
    for (const [at, one] of found) decided.set(at, one)
    if (found.length === 0 || decided.size === tests.length) {
      return tests.map((_test, at) => decided.get(at) ?? { verdict: "INCONCLUSIVE", level })
    }
  }
}
