/** The end of one try: its time is over, or the caller wants no more. */
export interface Deadline {
  /** Aborted in either case. */
  readonly signal: AbortSignal
  /** Whether it was the time. */
  isOver(): boolean
  /** Gives it its whole time again. */
  restart(): void
  /** Lets no time pass until it is started again. */
  pause(): void
  /** Lets go of timer and caller. */
  end(): void
  /** Ends it, and whatever is still under way. */
  cancel(): void
}

export function startDeadline(milliseconds: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  let over = false
  const expire = () => {
    over = true
    controller.abort(new Error(`No whole answer within ${milliseconds} ms.`))
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
      controller.abort(new Error("Nobody reads on."))
    },
  }
}

/** One request and what became of it, recorded below the client that makes it, whose own errors leave much of it out. */
export interface Exchange {
  readonly deadline: Deadline
  readonly isStreamed: boolean
  /** Null until an answer began. */
  status: number | null
  headers: Readonly<Record<string, string>>
  /** The body as text; of a streamed one its beginning. */
  text: string
  /** The last characters of a streamed body. */
  tail: string
  /** How it broke below HTTP. */
  broke: unknown
}

export function startExchange(deadline: Deadline, isStreamed = false): Exchange {
  return { deadline, isStreamed, status: null, headers: {}, text: "", tail: "", broke: undefined }
}
