/** A question about results. */
export interface ResultQuestion {
  readonly question: string
  readonly canAnswer: boolean
  /** The command that answers it, the answer itself, or what is missing. */
  readonly text: string
}
