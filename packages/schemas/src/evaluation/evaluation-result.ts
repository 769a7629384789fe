import { Type, type Static } from "@sinclair/typebox"
import { AnyName, Timestamp } from "../records/field-types.ts"
import { JudgeReport } from "./decisions/judge-report.ts"
import { ScoreCorrection } from "./decisions/label-report.ts"
import { ScoreNoise } from "./decisions/noise.ts"
import { ScoreSlices } from "./decisions/slices.ts"

/** A score. JSON has no NaN, so NaN is the string "NaN". */
export const ScoreValue = Type.Union([Type.Number(), Type.Literal("NaN")])
export type ScoreValue = number | "NaN"

/** Statistics over the repeats of rows, for scores that are 0 or 1. */
const RepeatStats = Type.Object(
  {
    repeats: Type.Integer({ description: "k: the number of times that each row was evaluated." }),
    rows: Type.Integer({ description: "Number of rows in which every repeat has a score." }),
    pass_at_k: ScoreValue,
    pass_pow_k: ScoreValue,
    majority: ScoreValue,
    flip_rate: ScoreValue,
    pass_at: Type.Optional(
      Type.Array(ScoreValue, {
        description:
          "pass@1, pass@2, … pass@k: the probability that at least one of so many answers is 1, estimated without bias. Absent in results of before.",
      }),
    ),
  },
  { $id: "RepeatStats" },
)

const ScoreInterval = Type.Object({
  low: Type.Number(),
  high: Type.Number(),
  confidence: Type.Number(),
  method: Type.String(),
  first_rows: Type.Optional(
    Type.Integer({
      description:
        "The interval is of this number of rows, the first in the random order of a job with early gates. Absent: it is of all scored rows.",
    }),
  ),
})

export const ScoreStats = Type.Object(
  {
    count: Type.Integer({ description: "Number of values without NaN." }),
    nan_count: Type.Integer(),
    sum: ScoreValue,
    sum_squared: ScoreValue,
    mean: ScoreValue,
    min: ScoreValue,
    max: ScoreValue,
    variance: ScoreValue,
    stddev: ScoreValue,
    stderr: ScoreValue,
    units: Type.Optional(
      Type.Number({
        description:
          "If rows repeat or have groups: the number of rows or groups of one size with as much information. Intervals and gates count it, and not all values.",
      }),
    ),
    percentiles: Type.Record(AnyName, ScoreValue),
    histogram: Type.Object({
      bins: Type.Array(Type.Object({ lower_bound: Type.Number(), upper_bound: Type.Number(), count: Type.Integer() })),
    }),
    rubric_distribution: Type.Optional(Type.Record(AnyName, Type.Integer())),
    repeats: Type.Optional(RepeatStats),
    noise: Type.Optional(ScoreNoise),
    interval: Type.Union([ScoreInterval, Type.Null()]),
    scored: Type.Integer(),
    unreadable: Type.Integer(),
    errored: Type.Integer(),
    skipped: Type.Integer(),
    not_reached: Type.Optional(
      Type.Integer({
        description:
          "Of a check at turns: conversations that a limit ended before a turn of it began. Gates count them as rows without a score. Absent: none.",
      }),
    ),
    partly_reached: Type.Optional(
      Type.Integer({
        description:
          "Those of `not_reached` that have a score of earlier turns, and so are in `scored` too. Absent: none.",
      }),
    ),
    complete: Type.Boolean({ description: "Whether the mean is over all rows." }),
  },
  { $id: "ScoreStats" },
)
export type ScoreStats = Static<typeof ScoreStats>

export const Score = Type.Object(
  {
    value: ScoreValue,
    stats: Type.Optional(ScoreStats),
    interval: Type.Optional(
      Type.Union([ScoreInterval, Type.Null()], {
        description:
          "Of a score over all rows at once, such as a perplexity. Null: there are too few rows. Absent: the score has none, or `stats` have it.",
      }),
    ),
    slices: Type.Optional(Type.Array(ScoreSlices, { description: "By each column of `params.slices`." })),
    corrected: Type.Optional(ScoreCorrection),
    judge: Type.Optional(JudgeReport),
    identity: Type.Optional(
      Type.String({
        description:
          "SHA-256 digest of what gives the score its meaning: the metric and its own version, parameters, and the model, inference parameters, prompt and parser of a judge. Scores with different digests measure different things. Absent in results of before, and for scores of a benchmark's harness.",
      }),
    ),
  },
  { $id: "Score" },
)
export type Score = Static<typeof Score>

const Metrics = Type.Record(AnyName, Type.Object({ scores: Type.Record(AnyName, Score) }))

export const EvaluationResult = Type.Object(
  {
    id: Type.String({ examples: ["evaluation_result-3QJmnh8Y1kGqvS4cQKFJ2b"] }),
    job: Type.String(),
    files_url: Type.Union([Type.String(), Type.Null()]),
    namespace: Type.String(),
    created_at: Timestamp,
    rescored_from: Type.Optional(
      Type.String({
        description:
          "The job whose outputs were scored by `assay eval rescore`. Absent: this job asked for its outputs.",
      }),
    ),
    tasks: Type.Record(AnyName, Type.Object({ metrics: Metrics })),
    groups: Type.Record(AnyName, Type.Object({ metrics: Metrics })),
  },
  { $id: "EvaluationResult" },
)
export type EvaluationResult = Static<typeof EvaluationResult>
