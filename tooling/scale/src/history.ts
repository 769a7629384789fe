/** A question that the endpoint received. Times are in milliseconds since 1970. */
export interface Question {
  readonly row: number
  readonly at: number
  /** Undefined while it is not answered, and if its sender was gone by then. */
  answeredAt: number | undefined
}

/** The events of a run. The checker reads nothing else, besides the results. */
export interface History {
  readonly questions: readonly Question[]
  /** Rows that were asked and perhaps in no journal yet when processes were killed, summed over the kills. */
  readonly inFlightAtKills: number
  /** The largest number of requests that were in flight at a time. */
  readonly peak: number
}
