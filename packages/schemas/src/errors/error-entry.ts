/** What a code means, what helps, and how each app translates it. */
export interface ErrorEntry {
  /** HTTP status with which a server answers. */
  readonly status: number
  /** One sentence: what happened. */
  readonly meaning: string
  /** One sentence: what to do about it. */
  readonly remedy: string
  /** `later` where the same request can succeed without a change; `never` where it can't. */
  readonly retry: "never" | "later"
}

/** A known way in which work fails, as an error that can be thrown and as a condition that is found in what happened. */
export interface ConditionEntry extends ErrorEntry {
  /** The condition in a few words, as a heading. */
  readonly title: string
}
