import type { AssayError } from "@assay/schemas"

/**
 * Milliseconds that an operation has to end by itself after its deadline. If it was waiting to repeat a refused request, its own
 * error says more than that the time is over.
 */
const GRACE_MS = 1000

export interface OperationDeadlineOptions {
  readonly milliseconds: number
  /** Returns milliseconds. */
  readonly now: () => number
  /** The signal of the caller. */
  readonly signal: AbortSignal | undefined
  /** Creates the error of an operation whose time is over. `status` is the last refusal of the backend. */
  readonly late: (status?: number) => AssayError
}

interface CountdownOptions extends Pick<OperationDeadlineOptions, "milliseconds" | "now"> {
  /** Called when the time is over. Returns what is called after the grace period. */
  readonly onOver: () => () => void
}

/** Counts the time that is left while an operation waits. */
interface Countdown {
  readonly wait: () => void
  readonly rest: () => void
  readonly restart: () => void
  readonly end: () => void
}

export function createCountdown({ milliseconds, now, onOver }: CountdownOptions): Countdown {
  let timer: NodeJS.Timeout | undefined
  let timerMs = 0
  let isWaiting = false
  let since = 0
  let leftMs = milliseconds

  function fire(): void {
    timer = undefined
    if (isWaiting) timer = setTimeout(onOver(), GRACE_MS)
  }
  /** Uses one timer for a whole listing: refreshing it costs almost nothing. */
  function arm(): void {
    if (timer !== undefined && timerMs === leftMs) {
      timer.refresh()
      return
    }
    clearTimeout(timer)
    timerMs = leftMs
    timer = setTimeout(fire, leftMs)
  }

  return {
    wait() {
      if (isWaiting) return
      isWaiting = true
      since = now()
      arm()
    },
    rest() {
      if (!isWaiting) return
      isWaiting = false
      leftMs = Math.max(1, leftMs - Math.max(0, now() - since))
    },
    restart() {
      leftMs = milliseconds
      since = now()
      if (isWaiting) arm()
    },
    end() {
      isWaiting = false
      clearTimeout(timer)
    },
  }
}
