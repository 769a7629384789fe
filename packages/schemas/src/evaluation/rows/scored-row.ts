import { Type, type Static, type TProperties } from "@sinclair/typebox"
import { AnyName } from "../../records/field-types.ts"
import { RowConversation, rowConversationOf } from "../conversation/row-conversation.ts"
import { ScoreStats, ScoreValue } from "../evaluation-result.ts"
import type { EvaluationRow } from "./evaluation-row.ts"
import { RowRequests } from "./row-request.ts"

const OrNull = <T extends TProperties[string]>(schema: T) => Type.Union([schema, Type.Null()])

/** A row of a job: its requests, its answers, and its scores. */
export const ROW_FIELDS = {
  task: Type.String(),
  row_index: Type.Integer({ description: "From 0, in the order of the dataset." }),
  repeat: Type.Integer({ description: "From 0." }),
  attempt: Type.Integer({ description: "From 1." }),
  item: Type.Record(AnyName, Type.Unknown(), { description: "The row of the dataset." }),
  output: OrNull(Type.String({ description: "The text of the answer." })),
  latency_ms: OrNull(Type.Number()),
  finish_reason: OrNull(Type.String()),
  scores: Type.Record(AnyName, Type.Record(AnyName, ScoreValue), { description: "By metric and score." }),
  labels: Type.Optional(Type.Record(AnyName, Type.Record(AnyName, Type.String()))),
  unreadable: Type.Optional(
    Type.Record(AnyName, Type.Object({ reason: Type.String(), raw: Type.String() }), {
      description: "By metric: why an answer of its judge has no score, and the answer.",
    }),
  ),
  error: OrNull(Type.Object({ code: Type.String(), message: Type.String() })),
}

const FOUND_FIELDS = {
  condition: OrNull(Type.String({ description: "The code of the condition that the row shows." })),
  verdict: OrNull(Type.String({ description: "The outcome of a guardrail: pass, block or unreadable." })),
}

export const ScoredRow = Type.Object(
  {
    ...ROW_FIELDS,
    ...FOUND_FIELDS,
    against: Type.Optional(
      OrNull(Type.Object(ROW_FIELDS, { description: "The row in the job `against`; null if it is not there." })),
    ),
  },
  { $id: "ScoredRow" },
)
export type ScoredRow = Static<typeof ScoredRow>

export const ScoredRowPage = Type.Object(
  {
    object: Type.Literal("list"),
    data: Type.Array(ScoredRow),
    scores: Type.Array(Type.String(), { description: "The scores that rows of the job have, as `metric.score`." }),
    total: Type.Integer({ description: "Number of rows so far. Each repeat counts." }),
    matched: Type.Integer({ description: "Number of rows that match the filters." }),
    next_offset: OrNull(Type.Integer({ description: "The offset of the next page; null after the last one." })),
  },
  { $id: "ScoredRowPage" },
)
export type ScoredRowPage = Static<typeof ScoredRowPage>

/** One attempt at one repeat of a row, with the whole answers. */
export const RowAttempt = Type.Object(
  {
    ...ROW_FIELDS,
    requests: Type.Array(RowRequests, { description: "The requests to the target, and then those of each metric." }),
    response: Type.Unknown({ description: "The answer of the target as it came." }),
    usage: Type.Unknown({ description: "Tokens of the answer." }),
    conversation: Type.Optional(RowConversation),
    judge_answers: Type.Optional(
      Type.Record(AnyName, Type.Array(Type.String()), {
        description: "By metric: what its judge wrote, in the order of its questions.",
      }),
    ),
  },
  { $id: "RowAttempt" },
)
export type RowAttempt = Static<typeof RowAttempt>

/** A row of an evaluation that stores nothing. */
export const LiveRow = Type.Object(ROW_FIELDS, { $id: "LiveRow" })
export type LiveRow = Static<typeof LiveRow>

export const RowAttempts = Type.Object(
  {
    task: Type.String(),
    row_index: Type.Integer(),
    attempts: Type.Array(RowAttempt, { description: "Every repeat and attempt, in the order in which they ended." }),
  },
  { $id: "RowAttempts" },
)
export type RowAttempts = Static<typeof RowAttempts>

/** How a score is distributed over the rows of a job. */
export const ScoreDistribution = Type.Object(
  {
    metric: Type.String({ examples: ["accuracy"] }),
    task: OrNull(Type.String()),
    order: Type.Union([Type.Literal("complete"), Type.Literal("random"), Type.Literal("file")], {
      description:
        "`complete`: the job has ended. While it runs, its rows so far come in a `random` order, or in that of the `file`: then there is no interval.",
    }),
    ...Type.Pick(ScoreStats, [
      "count",
      "nan_count",
      "mean",
      "min",
      "max",
      "stddev",
      "stderr",
      "percentiles",
      "histogram",
      "interval",
    ]).properties,
  },
  { $id: "ScoreDistribution" },
)
export type ScoreDistribution = Static<typeof ScoreDistribution>

type RowFields = Omit<ScoredRow, "condition" | "verdict" | "against">

/** Returns the fields of a journal's row that are public. */
export function rowFieldsOf(row: EvaluationRow): RowFields {
  const { task, row_index, repeat, attempt, item, sample, scores, labels, unreadable, error } = row
  return {
    task,
    row_index,
    repeat,
    attempt,
    item,
    output: sample?.output_text ?? null,
    latency_ms: sample?.latency_ms ?? null,
    finish_reason: sample?.finish_reason ?? null,
    scores,
    ...(labels === undefined ? {} : { labels }),
    ...(unreadable === undefined ? {} : { unreadable }),
    error,
  }
}

/** Returns an attempt at a row with everything that is public. @param requests those of the target, and then those of each metric */
export function rowAttemptOf(row: EvaluationRow, requests: readonly RowRequests[]): RowAttempt {
  const conversation = rowConversationOf(row)
  const answers = Object.entries(row.judge_answers ?? {}).map(([metric, given]) => {
    const texts = given.flatMap(({ text }) => (text === null || text === "" ? [] : [text]))
    return [metric, texts] as const
  })
  return {
    ...rowFieldsOf(row),
    requests: [...requests],
    response: row.sample?.response ?? null,
    usage: row.sample?.usage ?? null,
    ...(conversation === undefined ? {} : { conversation }),
    ...(answers.length === 0 ? {} : { judge_answers: Object.fromEntries(answers) }),
  }
}
