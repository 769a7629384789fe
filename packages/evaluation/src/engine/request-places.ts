import type { ConcurrencyLimit } from "./concurrency-limit.ts"

/** Places for requests in flight, up to a limit that may change. Several runs can share them. */
export interface RequestPlaces extends Pick<ConcurrencyLimit, "throttled" | "succeeded"> {
  /** Opens the places to a run. It gets none after `begin` aborts. */
  open(begin: AbortSignal): PlacesOfRun
  /** Called when the limit has changed. */
  changed(): void
  /** Returns how many places are taken. They can be more than the limit after it was lowered. */
  taken(): number
  /** Waits until no more places are taken than this. One call at a time. */
  untilTaken(most: number): Promise<void>
}

/** The places, as one run takes them. */
export interface PlacesOfRun {
  /** Takes a place if one is free. Returns whether it did. */
  tryTake(): boolean
  /** Waits for a free place and takes it. Returns false without a place if the run may begin nothing more. One call at a time. */
  take(): Promise<boolean>
  /** Gives a place back. Also after `close`. */
  free(): void
  /** Called when the run takes no more places. */
  close(): void
}

interface Run {
  /** Ends the wait of the run. Undefined: it does not wait. */
  wake: ((isTaken: boolean) => void) | undefined
  /** Whether it was woken, and has not run since. It probably takes more. */
  isWaking: boolean
}

/**
 * Creates the places. It is not `p-limit`: rows are read only as fast as places get free, so the caller waits for a place before it
 * reads on.
 *
 * A free place goes to the run that was opened first. So runs end one after the other, and the next one takes the places that the last rows
 * of a run leave. With equal parts, runs of the same length would end together, and nothing would be asked until others begin.
 */
export function createRequestPlaces(limit: ConcurrencyLimit): RequestPlaces {
  const runs = new Set<Run>()
  let taken = 0
  let later: NodeJS.Immediate | undefined
  let wanted: { readonly most: number; readonly reached: () => void } | undefined

  const isFree = (): boolean => taken < limit.current()
  /** Serves the runs again after those that were woken have run: they may leave places to others. */
  const serveLater = (): void => {
    later ??= setImmediate(() => {
      later = undefined
      for (const run of runs) run.isWaking = false
      serve()
    })
  }
  function serve(): void {
    for (const run of runs) {
      if (!isFree()) return
      if (run.isWaking) {
        if (runs.size > 1) serveLater()
        return
      }
      const { wake } = run
      if (wake === undefined) continue
      taken++
      run.wake = undefined
      run.isWaking = true
      wake(true)
    }
  }
  function tryTake(run: Run): boolean {
    run.isWaking = false
    if (!isFree()) return false
    for (const earlier of runs) {
      if (earlier === run) break
      if (!earlier.isWaking && earlier.wake === undefined) continue
      serveLater()
      return false
    }
    taken++
    return true
  }

  return {
    throttled: () => limit.throttled(),
    succeeded: () => limit.succeeded(),
    changed: serve,
    taken: () => taken,
    async untilTaken(most) {
      if (taken > most) await new Promise<void>((reached) => (wanted = { most, reached }))
    },
    open(begin) {
      const run: Run = { wake: undefined, isWaking: false }
      const stop = (): void => {
        run.wake?.(false)
        run.wake = undefined
      }
      runs.add(run)
      begin.addEventListener("abort", stop)
      return {
        tryTake: () => tryTake(run),
        async take() {
          if (begin.aborted) return false
          if (tryTake(run)) return true
          return new Promise((resolve) => (run.wake = resolve))
        },
        free() {
          taken--
          if (wanted !== undefined && taken <= wanted.most) {
            wanted.reached()
            wanted = undefined
          }
          serve()
        },
        close() {
          stop()
          runs.delete(run)
          begin.removeEventListener("abort", stop)
          serve()
        },
      }
    },
  }
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
