/** The meaning of an error code, what to do about it, and its HTTP status. */
export interface ErrorEntry {
  /** The HTTP status of the server's response. */
  readonly status: number
  /** One sentence: what happened. */
  readonly meaning: string
  /** One sentence: what to do about it. */
  readonly remedy: string
  /** `later` if the same request can succeed later; `never` if it can't without a change. */
  readonly retry: "never" | "later"
}

/** A known way in which work fails: an error code that can be thrown, and a condition that can be found in a job. */
export interface ConditionEntry extends ErrorEntry {
  /** The heading of the condition. */
  readonly title: string
}
