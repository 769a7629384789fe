import type { EvaluationRow, EvaluationSample } from "@assay/schemas"

/** The form of the facts. Readers that do not know it read the rows. */
export const FACTS_VERSION = 1

/** Names of metrics, each with the names of its scores. */
export type ScoresShape = readonly (readonly [metric: string, scores: readonly string[]])[]

/** The parts of a row that many rows have in common. The item is the text of its JSON. */
export type CommonFacts = readonly [
  item: string,
  sample: Pick<EvaluationSample, "output_text" | "finish_reason"> | null,
  labels: NonNullable<EvaluationRow["labels"]> | null,
  unreadable: NonNullable<EvaluationRow["unreadable"]> | null,
  error: EvaluationRow["error"],
]

type Amount = number | null

/**
 * The values that results need of the rows of a shard, in columns: numbers, scores, labels, errors, and the fields of items by which rows are
 * split. Texts are left out. A worker collects them, so that the rows are not parsed again.
 */
export interface RowFacts {
  readonly version: typeof FACTS_VERSION
  readonly task: string
  /** The fields of items, or paths in them, that are kept. */
  readonly fields: readonly string[]
  readonly rows: number[]
  readonly repeats: number[]
  readonly attempts: number[]
  readonly latencies: Amount[]
  readonly prompts: Amount[]
  readonly completions: Amount[]
  /** Absent in facts of earlier versions. */
  readonly totals?: Amount[]
  /** Indexes in `shapes`. */
  readonly shapeOf: number[]
  readonly shapes: ScoresShape[]
  /** The scores of all rows, one after the other. */
  readonly scores: (number | "NaN")[]
  /** Indexes in `commons`. */
  readonly commonOf: number[]
  readonly commons: CommonFacts[]
}
