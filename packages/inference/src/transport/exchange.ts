import type { Deadline } from "./deadline.ts"

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
