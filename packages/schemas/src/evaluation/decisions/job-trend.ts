import { Type, type Static } from "@sinclair/typebox"
import { orNull, Timestamp } from "../../records/field-types.ts"
import { JobGateState } from "./gates.ts"
import { ScoreValue } from "../evaluation-result.ts"

/** Jobs that a trend reads at most: the newest ones that match. */
export const MAX_TREND = 200
/** Jobs that a leaderboard ranks at most. */
export const MAX_RANKED = 20

const TrendScore = Type.Object({
  name: Type.String({ description: "`task.metric.score`", examples: ["qa.exact.em"] }),
  value: ScoreValue,
  low: orNull<number>("number", "The lower end of its interval; null without one."),
  high: orNull<number>("number", "The upper end of its interval; null without one."),
  unit: Type.Optional(Type.String({ description: "Of an amount, such as `ms` or `tokens`." })),
})

/** The findings of a job, as one point in time. */
export const TrendPoint = Type.Object(
  {
    job: Type.String(),
    name: Type.String({ description: "Its description, its stored configuration, or its id." }),
    model: Type.String({ description: "The model or the outputs that were evaluated." }),
    created_at: Timestamp,
    commit: orNull<string>("string", "`custom_fields.commit` of the job, if it is a text."),
    status: Type.String(),
    scores: Type.Array(TrendScore),
    gates: Type.Array(Type.Pick(JobGateState, ["name", "limit", "verdict"])),
    rows: Type.Integer({ description: "Rows that have an answer or have failed." }),
    failed: Type.Integer({ description: "Rows that have failed." }),
    cost: orNull<number>("number", "Null: it is not known."),
    currency: orNull<string>("string", "The currency of the cost."),
    seconds: orNull<number>("number", "From its start to its end."),
  },
  { $id: "TrendPoint" },
)
export type TrendPoint = Static<typeof TrendPoint>

/** The values by which jobs of a workspace can be chosen. */
const TrendChoices = Type.Object(
  {
    configs: Type.Array(Type.String(), { description: "Names of stored configurations." }),
    datasets: Type.Array(Type.String(), { description: "As `workspace/fileset/path`." }),
    names: Type.Array(Type.String(), { description: "Descriptions that several jobs have." }),
    baselines: Type.Array(Type.String()),
  },
  { $id: "TrendChoices" },
)
export type TrendChoices = Static<typeof TrendChoices>

export const JobTrend = Type.Object(
  {
    object: Type.Literal("list"),
    data: Type.Array(TrendPoint, { description: `The oldest first; at most the newest ${MAX_TREND}.` }),
    total: Type.Integer({
      description: "Number of jobs that match, among the newest 1,000 of the workspace that have ended.",
    }),
    choices: TrendChoices,
  },
  { $id: "JobTrend" },
)
export type JobTrend = Static<typeof JobTrend>

const RankedJob = Type.Object({
  job: Type.String(),
  name: Type.String(),
  model: Type.String(),
  created_at: Timestamp,
  mean: orNull<number>("number", "The mean over the rows that ask the same in all jobs; null without one."),
  low: orNull<number>("number", "The interval of the job's own score."),
  high: orNull<number>("number", "The interval of the job's own score."),
  group: Type.String({
    description:
      "Letters, such as `a` or `ab`. Two jobs that share a letter are not told apart by paired tests with Holm's levels. `a` is the group of the best.",
  }),
})

/** The latest job of each model and description over a dataset, the best first. */
export const Leaderboard = Type.Object(
  {
    object: Type.Literal("list"),
    dataset: Type.String(),
    score: Type.String({ description: "`task.metric.score`" }),
    scores: Type.Array(Type.String(), { description: "The scores that jobs over the dataset have." }),
    higher_is_better: Type.Boolean(),
    data: Type.Array(RankedJob),
    different_rows: Type.Integer({ description: "Rows that do not ask the same in all jobs. No job counts them." }),
    left_out: Type.Integer({ description: "Jobs without this score, or beyond the limits of a leaderboard." }),
  },
  { $id: "Leaderboard" },
)
export type Leaderboard = Static<typeof Leaderboard>
