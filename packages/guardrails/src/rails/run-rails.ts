import type { JudgeOptions } from "../judge.ts"
import { linkSignal } from "./link-signal.ts"
import type { Rail, RailInput, RailOutcome } from "./rail.ts"

/**
 * Runs rails side by side; the first block cancels the rest. Outcomes are in the order of the rails; null stands for one that
 * was cancelled before it was done.
 */
export async function runUntilBlocked(
  rails: readonly Rail[],
  input: RailInput,
  options: JudgeOptions,
): Promise<readonly (RailOutcome | null)[]> {
  const [only] = rails
  if (only !== undefined && rails.length === 1) return [await only.run(input, options)]
  const { signal, cancel } = linkSignal(options.signal)
  let isCancelled = false
  const stop = () => {
    isCancelled = true
    cancel()
  }
  return Promise.all(
    rails.map(async (rail) => {
      try {
        const outcome = await rail.run(input, { ...options, signal })
        if (outcome.rail.status === "blocked") stop()
        return outcome
      } catch (error) {
        if (isCancelled && options.signal?.aborted !== true) return null
        stop()
        throw error
      }
    }),
  )
}

/** Runs rails one after the other, up to the first block. */
export async function runInOrder(
  rails: readonly Rail[],
  input: RailInput,
  options: JudgeOptions,
): Promise<readonly RailOutcome[]> {
  const outcomes: RailOutcome[] = []
  for (const rail of rails) {
    const outcome = await rail.run(input, options)
    outcomes.push(outcome)
    if (outcome.rail.status === "blocked") break
  }
  return outcomes
}

/** Runs rails side by side, each to its end. */
export function runAll(rails: readonly Rail[], input: RailInput, options: JudgeOptions): Promise<RailOutcome[]> {
  return Promise.all(rails.map((rail) => rail.run(input, options)))
}
