import type { FieldRead } from "../../templates/row-template.ts"
import { fieldsOf } from "../../rows/row-values.ts"
import type { MetricOutcome, ScoreInput } from "../../plan/task-plan.ts"
import { judgeModel } from "../judge/judge-model.ts"
import { openJudge, type JudgeReply } from "../judge/open-judge.ts"
import type { MetricDefinition, MetricSetup } from "../metric-definition.ts"

/** A metric whose prompts are ours. */
export interface JudgedMetric {
  /** Keys of a row, each with others that may stand for it. */
  readonly fields: readonly (readonly string[])[]
  /** Whether it needs the text of an answer. Default false. */
  readonly readsOutput?: boolean
  /** JSON Schema of the judge's answer. */
  readonly answer: object
  readonly score: (input: ScoreInput, ask: (prompt: string) => Promise<JudgeReply>) => Promise<MetricOutcome>
}

/** Binds a metric to the judge of `params.judge: {model, inference_params}`. @throws `invalid_request` without one */
export function judgedMetric(
  setup: MetricSetup,
  { fields, readsOutput = false, answer, score }: JudgedMetric,
): MetricDefinition {
  const { key, type, params, name, run } = setup
  const judge = judgeModel(fieldsOf(params["judge"]), `${name}.judge`)
  const format = { type: "json_schema", json_schema: { name: type, schema: answer } }
  const scores = [type]
  return {
    key,
    type,
    scores,
    fields: fields.map((anyOf): FieldRead => ({ anyOf, by: type })),
    readsOutput,
    endpoints: [judge.endpoint],
    async bind(context) {
      const ask = await openJudge({ judge, format, run }, context)
      return {
        key,
        type,
        scores,
        isRemote: true,
        score: (input, options) => score(input, (content) => ask({ messages: [{ role: "user", content }] }, options)),
      }
    },
  }
}
