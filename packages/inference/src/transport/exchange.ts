/** The time limit of one attempt, which also follows the signal of the caller. */
export interface Deadline {
  /** Aborted when the time is over, or with the signal of the caller. */
  readonly signal: AbortSignal
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

export function startDeadline(milliseconds: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  let over = false
  const expire = () => {
    over = true
    controller.abort(new Error(`No complete answer within ${milliseconds} ms.`))
  }
  const leave = () => controller.abort(caller?.reason)
  let timer = setTimeout(expire, milliseconds)
  caller?.addEventListener("abort", leave, { once: true })
  const end = () => {
    clearTimeout(timer)
    caller?.removeEventListener("abort", leave)
  }
  return {
    signal: controller.signal,
    isOver: () => over,
    restart() {
      clearTimeout(timer)
      timer = setTimeout(expire, milliseconds)
    },
    pause: () => clearTimeout(timer),
    end,
    cancel() {
      end()
      controller.abort(new Error("Nobody reads the answer any more."))
    },
  }
}

/** One request and its answer, recorded below the SDK, whose own errors leave much of it out. */
export interface Exchange {
  readonly deadline: Deadline
  readonly isStreamed: boolean
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

export function startExchange(deadline: Deadline, isStreamed = false): Exchange {
  return { deadline, isStreamed, status: null, headers: {}, text: "", tail: "", broke: undefined }
}
