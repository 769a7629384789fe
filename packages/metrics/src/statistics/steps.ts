/** Work that is done in steps of a few milliseconds. The caller can let other work of the process run between two steps. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Items of a plain loop in one step. */
export const ITEMS_PER_STEP = 20_000

/** Does the rest of the work at once. */
export function finishSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Calls `work` with consecutive ranges from 0 to `length`, one in each step. */
export function* stepThrough(length: number, work: (start: number, end: number) => void): Steps<void> {
  for (let start = 0; start < length; start += ITEMS_PER_STEP) {
    work(start, Math.min(start + ITEMS_PER_STEP, length))
    yield
  }
}
