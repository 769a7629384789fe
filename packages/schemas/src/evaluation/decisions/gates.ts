import { Type, type Static } from "@sinclair/typebox"
import { enumeration } from "../../records/field-types.ts"
import { ChangedIdentity } from "./identity.ts"
import { ScoreValue } from "../evaluation-result.ts"
import { numberField } from "../../records/number-field.ts"

const Name = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })
const NumberOrNull = Type.Union([Type.Number(), Type.Null()])

/** A limit of a score of a job. */
export const JobGate = Type.Object(
  {
    task: Name("The name of the task in the configuration."),
    metric: Name("The key of the metric in the task."),
    score: Type.Optional(Name("A score of the metric. Can be left out if the metric has only one.")),
    op: Type.Optional(Type.Union([Type.Literal(">="), Type.Literal("<=")])),
    value: Type.Optional(
      numberField("score", { description: "The limit of the mean score. Given together with `op`." }),
    ),
    corrected: Type.Optional(
      Type.Boolean({
        description:
          "Compare the mean that labels of people correct, and not the one of the judge. Its metric has `labels`. Not possible with `stop: early`. Default false.",
      }),
    ),
    on_these_rows: Type.Optional(
      Type.Boolean({
        description:
          "Compare the value of the rows of this job, without an interval: PASS if every row was asked and has a score and the value keeps the limit, else FAIL. It says nothing about other rows. Not possible with `stop: early`, `against` and `corrected`. Default false.",
      }),
    ),
    against: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          "Instead of `op` and `value`: a baseline of the workspace or a job, with which the score is compared row by row. Needs `stop: early`. On the machine of a user: a folder of results, such as `./results`.",
      }),
    ),
    margin: Type.Optional(
      numberField("margin", {
        description: "How much worse than `against` the mean score may be and still pass. Default 0.",
      }),
    ),
    alpha: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 0.5,
        description:
          "The probability of a wrong verdict. Several early gates of a job share it. Default 0.05, and always 0.05 for gates that are not early.",
      }),
    ),
    stop: Type.Optional(
      Type.Union([Type.Literal("early"), Type.Literal("never")], {
        description:
          "`early`: rows are asked in random order, and a task ends as soon as all of its gates are decided, if all of them are early. Default `never`.",
      }),
    ),
    max_unscored: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          "The share of asked rows that may have no score, because their answer is unreadable or an error. With more, the gate is INCONCLUSIVE, and one on these rows is FAIL. Default 0.05, and 0 on these rows.",
      }),
    ),
    population: Type.Optional(
      Type.Union([Type.Literal("dataset"), Type.Literal("unlimited")], {
        description:
          "For early gates with `op` and `value`, what the mean is of. `dataset`: all of its rows, as if they had been asked; the last row always decides. `unlimited`: all rows like these, as for gates that are not early; the rows of the dataset may be too few to decide. Default `dataset`.",
      }),
    ),
    range: Type.Optional(
      Type.Tuple([numberField("score"), numberField("score")], {
        description: "The lowest and the highest value that a row can have, for early gates. Default [0, 1].",
      }),
    ),
  },
  { $id: "JobGate", additionalProperties: false },
)
export type JobGate = Static<typeof JobGate>

/** A gate of a job and its state. */
export const JobGateState = Type.Object(
  {
    name: Type.String({
      description:
        "`task.metric.score`, `task.metric.score corrected by people`, or `task.metric.score gain over NAME` for a mean difference: above 0 is better.",
    }),
    limit: Type.String({
      description: "The limit; `on these rows` at its end if there is no interval.",
      examples: [">= 0.8"],
    }),
    value: ScoreValue,
    low: Type.Union([Type.Number(), Type.Null()], { description: "The interval that is compared with the limit." }),
    high: NumberOrNull,
    verdict: Type.Unsafe<"PASS" | "INCONCLUSIVE" | "FAIL" | null>({
      enum: ["PASS", "INCONCLUSIVE", "FAIL", null],
      description:
        "null: the score measures something else in the results with which the gate compares it; see `identity`.",
    }),
    identity: Type.Optional(ChangedIdentity),
    reason: Type.Optional(
      Type.String({
        description:
          "Why the gate is INCONCLUSIVE, if not because of its interval: too many rows have no score. Why one on these rows is FAIL, if not because of its value.",
      }),
    ),
    on_these_rows: Type.Optional(
      Type.Literal(true, { description: "The value of these rows was compared, without an interval." }),
    ),
    stop: enumeration(["early", "never"] as const),
    alpha: Type.Number({ description: "The probability of a wrong verdict of this gate. 0 for one on these rows." }),
    decided_after: Type.Union([Type.Integer(), Type.Null()], {
      description: "Number of scored rows that decided an early gate; null if it is not decided, or not early.",
    }),
  },
  { $id: "JobGateState" },
)
export type JobGateState = Static<typeof JobGateState>

/** Reads the gates in an event of a server. Those that are not gates are left out. */
export function readGateStates(value: unknown): readonly JobGateState[] {
  const isNumber = (end: unknown) => end === null || typeof end === "number"
  const isState = (one: unknown): one is JobGateState => {
    const { name, limit, value, low, high, verdict } = (one ?? {}) as Partial<JobGateState>
    const texts: readonly unknown[] = [name, limit, verdict]
    const isScore = typeof value === "number" || value === "NaN"
    return texts.every((text) => typeof text === "string") && isScore && isNumber(low) && isNumber(high)
  }
  return Array.isArray(value) ? value.filter(isState) : []
}

/** How a job ended before all of its rows were asked, because its gates were decided. */
export const EarlyStop = Type.Object(
  {
    rows: Type.Integer({ description: "Rows that were asked, each with all of its repeats." }),
    rows_total: Type.Integer(),
    order_seed: Type.Integer({ description: "The seed of the random order of the rows." }),
  },
  { $id: "EarlyStop" },
)
export type EarlyStop = Static<typeof EarlyStop>
