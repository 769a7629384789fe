/** A value of another server that is loaded again from time to time. */
export interface Refreshed<T> {
  /** Returns the value. Waits only if there is none that may be used. @throws what the last load threw */
  get(): Promise<T>
  /** Loads the value again, unless it was renewed just before. Returns the newest. @throws what the last load threw, also if there is an older value */
  renew(): Promise<T>
}

export interface RefreshedOptions<T> {
  readonly load: () => Promise<T>
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number
  /** Milliseconds after which the value is loaded again, while the old one is used. */
  readonly freshMs: number
  /** Milliseconds for which the old value is used while it can't be loaded. */
  readonly keepMs: number
  /** Minimum milliseconds between two loads that callers ask for with `renew`, and between a load that failed and the next one. */
  readonly pauseMs: number
}

export function createRefreshed<T>({ load, elapsed, freshMs, keepMs, pauseMs }: RefreshedOptions<T>): Refreshed<T> {
  let held: { readonly value: T; readonly at: number } | undefined
  let failure: unknown
  let tried = -Infinity
  let renewed = -Infinity
  let loading: Promise<void> | undefined

  async function loadOnce(): Promise<void> {
    tried = elapsed()
    try {
      held = { value: await load(), at: elapsed() }
      failure = undefined
    } catch (error) {
      failure = error
    } finally {
      loading = undefined
    }
  }

  async function loadAgain(): Promise<void> {
    if (loading === undefined && elapsed() - tried < pauseMs) return
    await (loading ??= loadOnce())
  }

  const age = () => (held === undefined ? Infinity : elapsed() - held.at)
  function current(): T {
    if (held !== undefined && age() < keepMs) return held.value
    throw failure
  }
  return {
    async get() {
      if (age() >= keepMs) await loadAgain()
      else if (age() >= freshMs) void loadAgain()
      return current()
    },
    async renew() {
      if (loading !== undefined || elapsed() - renewed >= pauseMs) {
        renewed = elapsed()
        await (loading ??= loadOnce())
      }
      if (failure !== undefined) throw failure
      return current()
    },
  }
}
