import type { ConcurrencyLimit } from "./concurrency-limit.ts"

/** Slots for requests in flight, up to a limit that may change. Several runs can share them. */
export interface RequestSlots extends Pick<ConcurrencyLimit, "throttled" | "succeeded"> {
  /** Opens the slots to a run. It gets none after `begin` aborts. */
  open(begin: AbortSignal): SlotsOfRun
  /** Called when the limit has changed. */
  changed(): void
  /** Returns how many slots are taken. They can be more than the limit after it was lowered. */
  taken(): number
  /** Waits until no more slots are taken than this. One call at a time. */
  untilTaken(most: number): Promise<void>
}

/** The slots, as one run takes them. */
export interface SlotsOfRun {
  /** Takes a slot if one is free. Returns whether it did. */
  tryTake(): boolean
  /** Waits for a free slot and takes it. Returns false without a slot if the run may begin nothing more. One call at a time. */
  take(): Promise<boolean>
  /** Gives a slot back. Also after `close`. */
  free(): void
  /** Called when the run takes no more slots. */
  close(): void
}

interface Run {
  /** Ends the wait of the run. Undefined: it does not wait. */
  wake: ((isTaken: boolean) => void) | undefined
  /** Whether it was woken, and has not run since. It probably takes more. */
  isWaking: boolean
}

/**
 * Creates the slots. It is not `p-limit`: rows are read only as fast as slots get free, so the caller waits for a slot before it
 * reads on.
 *
 * A free slot goes to the run that was opened first. So runs end one after the other, and the next one takes the slots that the last rows
 * of a run leave. With equal parts, runs of the same length would end together, and nothing would be asked until others begin.
 */
export function createRequestSlots(limit: ConcurrencyLimit): RequestSlots {
  const state: SlotsState = { limit, runs: new Set(), taken: 0, later: undefined, wanted: undefined }

  return {
    throttled: () => limit.throttled(),
    succeeded: () => limit.succeeded(),
    changed: () => serveRuns(state),
    taken: () => state.taken,
    async untilTaken(most) {
      if (state.taken > most) await new Promise<void>((reached) => (state.wanted = { most, reached }))
    },
    open: (begin) => openSides(state, begin),
  }
}

interface SlotsState {
  readonly limit: ConcurrencyLimit
  /** In the order in which they were opened. */
  readonly runs: Set<Run>
  taken: number
  later: NodeJS.Immediate | undefined
  wanted: { readonly most: number; readonly reached: () => void } | undefined
}

function openSides(state: SlotsState, begin: AbortSignal): SlotsOfRun {
  const run: Run = { wake: undefined, isWaking: false }
  const stop = (): void => {
    run.wake?.(false)
    run.wake = undefined
  }
  state.runs.add(run)
  begin.addEventListener("abort", stop)
  return {
    tryTake: () => tryTake(state, run),
    async take() {
      if (begin.aborted) return false
      if (tryTake(state, run)) return true
      return new Promise((resolve) => (run.wake = resolve))
    },
    free() {
      state.taken--
      const { wanted } = state
      if (wanted !== undefined && state.taken <= wanted.most) {
        wanted.reached()
        state.wanted = undefined
      }
      serveRuns(state)
    },
    close() {
      stop()
      state.runs.delete(run)
      begin.removeEventListener("abort", stop)
      serveRuns(state)
    },
  }
}

/** Gives free slots to runs that wait. */
function serveRuns(state: SlotsState): void {
  for (const run of state.runs) {
    if (!isFree(state)) return
    if (run.isWaking) {
      if (state.runs.size > 1) serveLater(state)
      return
    }
    const { wake } = run
    if (wake === undefined) continue
    state.taken++
    run.wake = undefined
    run.isWaking = true
    wake(true)
  }
}

/** Serves the runs again after those that were woken have run: they may leave slots to others. */
function serveLater(state: SlotsState): void {
  state.later ??= setImmediate(() => {
    state.later = undefined
    for (const run of state.runs) run.isWaking = false
    serveRuns(state)
  })
}

function tryTake(state: SlotsState, run: Run): boolean {
  run.isWaking = false
  if (!isFree(state)) return false
  for (const earlier of state.runs) {
    if (earlier === run) break
    if (!earlier.isWaking && earlier.wake === undefined) continue
    serveLater(state)
    return false
  }
  state.taken++
  return true
}

function isFree({ taken, limit }: SlotsState): boolean {
  return taken < limit.current()
}

/** Counts the rows of one run that are in flight. */
export interface RowsInFlight {
  begin(): void
  end(): void
  /** Waits until no row is in flight. */
  drained(): Promise<void>
}

export function createRowsInFlight(): RowsInFlight {
  // An object, because it changes while a caller waits.
  const state = { count: 0, wake: () => {} }
  return {
    begin() {
      state.count++
    },
    end() {
      state.count--
      if (state.count === 0) state.wake()
    },
    async drained() {
      while (state.count > 0) await new Promise<void>((resolve) => (state.wake = resolve))
    },
  }
}
