/** A share of matches with its interval (Wilson, 95 %). */
interface MeasuredShare {
  readonly count: number
  readonly n: number
  /** Null if there is nothing to count. */
  readonly rate: number | null
  readonly low: number
  readonly high: number
}

/** The preferences of the judge of an arena besides good answers. */
export interface ArenaBias {
  /** Matches that were a tie, also those whose orders contradict each other. */
  readonly ties: MeasuredShare
  /** Matches in which the judge named another winner when the order was swapped. */
  readonly position: MeasuredShare
  /** Won matches in which the longer answer won: 0.5 if length does not matter. */
  readonly longer_wins: MeasuredShare
}

/** A model of an arena. */
export interface ArenaModel {
  readonly model: string
  /** Natural log-odds; all sum to 0. A beats B with a probability of 1 / (1 + exp(b − a)). */
  readonly strength: number
  /** Null ends are open: the matches set no limit. */
  readonly interval: {
    readonly low: number | null
    readonly high: number | null
    readonly confidence: number
    readonly method: string
  }
  /** Letters. Two models that share a letter are not told apart. */
  readonly group: string
  readonly wins: number
  readonly losses: number
  readonly ties: number
  /** Rows that the model was drawn for and has no answer to. */
  readonly failed: number
}

/** The result of an arena. */
export interface ArenaReport {
  /** The best model; null if none is certain, or if several are looked for. */
  readonly winner: string | null
  /** The best models, as many as are looked for; null if they are not certain. */
  readonly top: readonly string[] | null
  readonly alpha: number
  /** Why it ended: the best are certain, every row was drawn, or a limit was reached. */
  readonly ended: "certain" | "rows" | "calls" | "all"
  /** The strongest first. */
  readonly models: readonly ArenaModel[]
  /** Questions to the judge. */
  readonly calls: number
  /** Answers of models, whether they were asked for now or before. */
  readonly answers: number
  readonly rows: { readonly drawn: number; readonly total: number }
  readonly matches: number
  /** Matches without a verdict that can be read. */
  readonly unreadable: number
  /** Matches of two models with the question and the answers of an earlier one. They count once, and are in no other number but `calls`. */
  readonly repeated: number
  /** Questions to the judge if each two models met on each row. */
  readonly round_robin_calls: number
  readonly bias: ArenaBias
}
