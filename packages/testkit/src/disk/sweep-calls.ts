import { failCalls, type FailingCall } from "./fail-calls.ts"

interface Sweep {
  readonly call: FailingCall
  readonly code: string
  /** Makes the records of one try. */
  readonly prepare: () => Promise<{ readonly run: () => Promise<unknown>; readonly read: () => Promise<unknown> }>
  /** Called after each error with the state before and after it. */
  readonly check: (error: unknown, before: unknown, after: unknown) => void
}

/**
 * Tries an operation once for each call of a kind that it makes: that call fails.
 * @returns the number of errors
 */
export async function sweepCalls({ call, code, prepare, check }: Sweep): Promise<number> {
  const failures = failCalls(call, code)
  let errors = 0
  for (let first = 1; ; first++) {
    const { run, read } = await prepare()
    const before = await read()
    failures.fail(first)
    const error: unknown = await run().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    const isOver = failures.calls() < first
    failures.fail(0, 0)
    if (error !== undefined) {
      errors += 1
      check(error, before, await read())
    }
    if (isOver) return errors
  }
}
