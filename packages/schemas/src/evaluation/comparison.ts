import { Type, type Static, type TSchema } from "@sinclair/typebox"
import { enumeration } from "../records/field-types.ts"
import { ScoreValue } from "./evaluation-result.ts"

const Verdict = enumeration(["PASS", "INCONCLUSIVE", "FAIL"] as const)
const OrNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** One job against the first one, over the rows that both have a value for. */
export const PairComparison = Type.Object(
  {
    job: Type.String({ description: "The job that is held against the first one." }),
    rows: Type.Integer({ description: "Rows that have a value on both sides." }),
    left_out: Type.Integer({ description: "Values that had none on the other side." }),
    baseline_mean: Type.Number(),
    mean: Type.Number(),
    difference: Type.Number({ description: "The job's mean minus the first one's, over the rows of both." }),
    interval: Type.Union([
      Type.Object({ low: Type.Number(), high: Type.Number(), confidence: Type.Number(), method: Type.String() }),
      Type.Null(),
    ]),
    p: Type.Number({ description: "How probable a difference this large is, in either direction, if there is none." }),
    method: Type.String({ examples: ["mcnemar-exact", "sign-permutation-exact"] }),
    only_baseline: OrNull(
      Type.Integer({ description: "Rows that the first job alone got right; null unless scores are 0 or 1." }),
    ),
    only_job: OrNull(Type.Integer()),
    smallest_detectable_effect: OrNull(
      Type.Number({ description: "What a comparison of so many rows would find four times of five." }),
    ),
    improved: Type.Integer({ description: "Values that are better than the first job's." }),
    worsened: Type.Integer(),
    verdict: Verdict,
  },
  { $id: "PairComparison" },
)
export type PairComparison = Static<typeof PairComparison>

export const ScoreComparison = Type.Object(
  {
    task: Type.String(),
    metric: Type.String(),
    score: Type.String(),
    higher_is_better: Type.Boolean(),
    values: Type.Array(Type.Union([ScoreValue, Type.Null()]), {
      description: "The value in each job's own result, in the order of `jobs`; null where a job has no such score.",
    }),
    pairs: Type.Array(PairComparison, { description: "Empty for scores over all rows, such as corpus BLEU." }),
  },
  { $id: "ScoreComparison" },
)
export type ScoreComparison = Static<typeof ScoreComparison>

/** A row whose scores differ between two jobs. */
export const ChangedRow = Type.Object(
  {
    job: Type.String({ description: "The job that is held against the first one." }),
    task: Type.String(),
    row_index: Type.Integer(),
    repeat: Type.Integer(),
    change: enumeration(["better", "worse"] as const),
    item: Type.String({ description: "The row as JSON, cut." }),
    answers: Type.Array(Type.Union([Type.String(), Type.Null()]), {
      description: "The first job's, then the other's; cut.",
    }),
    scores: Type.Array(
      Type.Object({ metric: Type.String(), score: Type.String(), baseline: ScoreValue, value: ScoreValue }),
    ),
  },
  { $id: "ChangedRow" },
)
export type ChangedRow = Static<typeof ChangedRow>

/** Jobs held against the first of them, row by row. */
export const Comparison = Type.Object(
  {
    jobs: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
      description: "The first is the baseline.",
    }),
    margin: Type.Number({ description: "How much worse a job may be and still pass." }),
    verdict: Verdict,
    scores: Type.Array(ScoreComparison),
    changed_rows: Type.Array(ChangedRow, { description: "Those that changed most, the worse ones first." }),
    changed_rows_total: Type.Integer(),
    warnings: Type.Array(Type.String(), { description: "What speaks against comparing these jobs." }),
  },
  { $id: "Comparison" },
)
export type Comparison = Static<typeof Comparison>
