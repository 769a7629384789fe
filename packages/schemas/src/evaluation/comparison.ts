import { Type, type Static, type TSchema } from "@sinclair/typebox"
import { enumeration } from "../records/field-types.ts"
import { CorrectedDifference } from "./decisions/corrected-difference.ts"
import { ChangedIdentity } from "./decisions/identity.ts"
import { ScoreValue } from "./evaluation-result.ts"

const Verdict = enumeration(["PASS", "INCONCLUSIVE", "FAIL"] as const)
const OrNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A comparison of one job with the first one, over the rows for which both have a value. */
export const PairComparison = Type.Object(
  {
    job: Type.String({ description: "The job that is compared with the first one." }),
    rows: Type.Integer({ description: "Number of rows that have a value in both jobs." }),
    left_out: Type.Integer({ description: "Number of values without a value in the other job." }),
    baseline_mean: Type.Number(),
    mean: Type.Number(),
    difference: Type.Number({ description: "The job's mean minus the first one's, over the rows of both." }),
    interval: Type.Union([
      Type.Object({ low: Type.Number(), high: Type.Number(), confidence: Type.Number(), method: Type.String() }),
      Type.Null(),
    ]),
    p: Type.Number({
      description:
        "The probability of a difference at least this large, in either direction, if the jobs do not differ.",
    }),
    method: Type.String({ examples: ["mcnemar-exact", "sign-permutation-exact"] }),
    only_baseline: OrNull(
      Type.Integer({ description: "Number of rows that only the first job got right; null unless scores are 0 or 1." }),
    ),
    only_job: OrNull(Type.Integer()),
    smallest_detectable_effect: OrNull(
      Type.Number({ description: "The effect that a comparison of this many rows finds with a probability of 80 %." }),
    ),
    rows_needed: OrNull(
      Type.Integer({
        description:
          "Approximate number of rows that would decide, if they differed as these do; null if it is decided, or if no number of rows would.",
      }),
    ),
    improved: Type.Integer({ description: "Number of values that are better than in the first job." }),
    worsened: Type.Integer(),
    verdict: OrNull(Verdict),
    identity: Type.Optional(ChangedIdentity),
    corrected: Type.Optional(CorrectedDifference),
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
    decides: Type.Boolean({
      description:
        "Whether it counts in the verdict of the comparison. Amounts such as latency, tokens and cost don't, unless there is nothing else.",
    }),
    unit: Type.Optional(
      Type.String({
        description:
          "`ms`, `tokens`, `cost` or `words` for amounts; `share` if all values of the jobs are from 0 to 1. Absent: a scale of its own.",
      }),
    ),
    values: Type.Array(Type.Union([ScoreValue, Type.Null()]), {
      description:
        "The value in the result of each job, in the order of `jobs`; null if a job does not have the score.",
    }),
    pairs: Type.Array(PairComparison, { description: "Empty for scores over all rows, such as corpus BLEU." }),
  },
  { $id: "ScoreComparison" },
)
export type ScoreComparison = Static<typeof ScoreComparison>

/** A row whose scores differ between two jobs. */
export const ChangedRow = Type.Object(
  {
    job: Type.String({ description: "The job that is compared with the first one." }),
    task: Type.String(),
    row_index: Type.Integer(),
    repeat: Type.Integer(),
    change: enumeration(["better", "worse"] as const),
    item: Type.String({ description: "The row as JSON, truncated." }),
    answers: Type.Array(Type.Union([Type.String(), Type.Null()]), {
      description: "The answer of the first job, then the answer of the other; truncated.",
    }),
    scores: Type.Array(
      Type.Object({ metric: Type.String(), score: Type.String(), baseline: ScoreValue, value: ScoreValue }),
    ),
  },
  { $id: "ChangedRow" },
)
export type ChangedRow = Static<typeof ChangedRow>

/** A comparison of jobs with the first of them, row by row. */
export const Comparison = Type.Object(
  {
    jobs: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
      description: "The first is the baseline.",
    }),
    margin: Type.Number({ description: "How much worse a job may be and still pass." }),
    verdict: Type.Union([Verdict, Type.Null()], {
      description:
        "FAIL if a score that decides is worse. Else null if one measures something else in another job, and then INCONCLUSIVE if one is not decided. A score with `corrected` counts by it.",
    }),
    scores: Type.Array(ScoreComparison),
    changed_rows: Type.Array(ChangedRow, { description: "The rows that changed most; worse ones first." }),
    changed_rows_total: Type.Integer({
      description: "Number of rows in which a score that decides differs. Other scores, such as latency, do not count.",
    }),
    changes: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "A sentence about each score that measures something else in another job. Such a score has no verdict, unless `allow_changed`.",
      }),
    ),
    warnings: Type.Array(Type.String(), { description: "Reasons not to compare these jobs." }),
  },
  { $id: "Comparison" },
)
export type Comparison = Static<typeof Comparison>
