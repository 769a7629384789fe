import { fieldsOf } from "@assay/json"
import { type AgreedReading, readAgreed } from "@assay/metrics"
import type { FieldRead } from "../../templates/row-template.ts"
import type { MetricOutcome, ScoreInput } from "../bound-metric.ts"
import { judgeModel, judgeRequest, openMetricJudge, type JudgeReply } from "../judge/open-metric-judge.ts"
import type { MetricDefinition, MetricSetup } from "../metric-definition.ts"

/** A metric with a built-in judge prompt. */
interface JudgedMetric {
  /** The fields that it needs, each with its alternative names. */
  readonly fields: readonly (readonly string[])[]
  /** Whether it needs the text of the answer. Default false. */
  readonly readsOutput?: boolean
  /** The JSON Schema of the judge's answer. */
  readonly answer: object
  /** Returns the question to the judge, or the questions, which are asked side by side. @throws `rows_invalid` */
  readonly prompts: (input: ScoreInput) => readonly [string, ...string[]]
  /** Reads the replies, in the order of the questions. */
  readonly read: (...replies: readonly [JudgeReply, ...JudgeReply[]]) => MetricOutcome
}

/** Defines a metric that asks the judge in `params.judge: {model, inference_params}`. @throws `invalid_request` if there is none */
export function judgedMetric(
  setup: MetricSetup,
  { fields, readsOutput = false, answer, prompts, read }: JudgedMetric,
): MetricDefinition {
  const { key, type, params, name, run } = setup
  const judge = judgeModel(fieldsOf(params["judge"]), `${name}.judge`)
  const format = { type: "json_schema", json_schema: { name: type, schema: answer } }
  const scores = [type]
  const question = (content: string) => ({ messages: [{ role: "user", content }] })
  return {
    key,
    type,
    scores,
    fields: fields.map((anyOf): FieldRead => ({ anyOf, by: type })),
    readsOutput,
    endpoints: [judge.endpoint],
    renderRequests: (input) => prompts(input).map((prompt) => judgeRequest({ judge, format }, question(prompt))),
    async bind(context) {
      const ask = await openMetricJudge({ judge, format, run }, context)
      return {
        key,
        type,
        scores,
        isRemote: true,
        async score(input, options) {
          const [first, ...others] = prompts(input)
          const asked = (prompt: string) => ask(question(prompt), options)
          return read(...(await Promise.all([asked(first), ...others.map(asked)])))
        },
      }
    },
  }
}

/** Reads `rating` in a judge's answer, which must be one of `ratings`, as a number or its text. */
export function ratingIn(reply: JudgeReply, ratings: readonly number[]): AgreedReading<number> {
  return readAgreed(reply, ["rating"], (value) =>
    ratings.find((rating) => value === rating || (typeof value === "string" && value.trim() === String(rating))),
  )
}
