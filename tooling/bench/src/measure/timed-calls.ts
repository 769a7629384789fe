import { inParallel } from "./in-parallel.ts"
import { resultsInTurns, type ForEach } from "./in-turns.ts"
import { median } from "./median.ts"

/** Milliseconds of the calls, sorted. */
export interface CallTimes {
  readonly p50: number
  readonly p99: number
  /** Calls per second. */
  readonly rate: number
}

/** Calls `call` a number of times in parallel, after a tenth of that number for warming up. */
export async function timeCalls(count: number, parallel: number, call: () => Promise<unknown>): Promise<CallTimes> {
  await inParallel(Math.ceil(count / 10), parallel, async () => void (await call()))
  const times: number[] = []
  const seconds = await inParallel(count, parallel, async () => {
    const started = performance.now()
    await call()
    times.push(performance.now() - started)
  })
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99), rate: count / seconds }
}

/** Returns the medians of several runs of each. They run in turns, so that a busy moment of the machine affects all of them. */
export async function compareCalls<const Calls extends readonly (() => Promise<CallTimes>)[]>(
  calls: Calls,
): Promise<ForEach<Calls, CallTimes>> {
  const medians = (await resultsInTurns(calls)).map((runs) => ({
    p50: median(runs.map(({ p50 }) => p50)),
    p99: median(runs.map(({ p99 }) => p99)),
    rate: median(runs.map(({ rate }) => rate)),
  }))
  return medians as unknown as ForEach<Calls, CallTimes>
}
