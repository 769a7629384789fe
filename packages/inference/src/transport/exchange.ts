import type { AbortFollowers } from "./abort-followers.ts"

/** The time limit of one attempt, which also follows the signal of the caller. */
export interface Deadline {
  /** Calls `abort` with the reason as soon as the deadline is over or aborted. One listener at a time; undefined removes it. */
  onAbort(abort: ((reason: Error) => void) | undefined): void
  /** Returns whether the time is over. */
  isOver(): boolean
  /** Starts the whole time again. */
  restart(): void
  /** Stops the clock until `restart`. */
  pause(): void
  /** Releases the timer and the signal of the caller. */
  end(): void
  /** Ends the deadline and aborts what is still running. */
  cancel(): void
}

interface DeadlineOptions {
  /** Undefined: the deadline has only its time. */
  readonly caller: AbortSignal | undefined
  readonly followers: AbortFollowers
}

/** Starts a deadline. It has no signal of its own, because creating and listening to one takes longer than a timer. */
export function startDeadline(milliseconds: number, { caller, followers }: DeadlineOptions): Deadline {
  let over = false
  let listener: ((reason: Error) => void) | undefined
  let reason: Error | undefined
  const abort = (why: Error) => {
    if (reason !== undefined) return
    reason = why
    listener?.(why)
  }
  const expire = () => {
    over = true
    abort(new Error(`No complete answer within ${milliseconds} ms.`))
  }
  const leave = () => abort(caller?.reason as Error)
  let timer = setTimeout(expire, milliseconds)
  const unfollow = caller === undefined ? undefined : followers.follow(caller, leave)
  const end = () => {
    clearTimeout(timer)
    unfollow?.()
  }
  return {
    onAbort(abort) {
      listener = abort
      if (reason !== undefined) abort?.(reason)
    },
    isOver: () => over,
    restart() {
      clearTimeout(timer)
      timer = setTimeout(expire, milliseconds)
    },
    pause: () => clearTimeout(timer),
    end,
    cancel() {
      end()
      abort(new Error("The answer is no longer read."))
    },
  }
}

/** One request and its answer, recorded as it is sent and received: failures are classified from this record. */
export interface Exchange {
  readonly deadline: Deadline
  readonly isStreamed: boolean
  /** Sent as a header. */
  readonly traceparent: string | undefined
  /** Called when the request is written to a connection. */
  onSent: (() => void) | undefined
  /** Null until an answer begins. */
  status: number | null
  headers: Readonly<Record<string, string>>
  /** The body as text; for a stream, its beginning. */
  text: string
  /** The last characters of a streamed body. */
  tail: string
  /** The error below HTTP. */
  broke: unknown
}

type ExchangeOptions = Partial<Pick<Exchange, "isStreamed" | "traceparent">>

export function startExchange(deadline: Deadline, { isStreamed = false, traceparent }: ExchangeOptions = {}): Exchange {
  return {
    deadline,
    isStreamed,
    traceparent,
    onSent: undefined,
    status: null,
    headers: {},
    text: "",
    tail: "",
    broke: undefined,
  }
}
