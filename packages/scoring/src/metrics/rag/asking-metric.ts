import { fieldsOf } from "@assay/json"
import type { ApiEndpoint } from "@assay/schemas"
import { fieldsOfTemplates } from "../../templates/row-template.ts"
import type { MetricOutcome, ScoreInput } from "../bound-metric.ts"
import { judgeModel, judgeRequest, openMetricJudge, type JudgeReply } from "../judge/open-metric-judge.ts"
import type { MetricDefinition, MetricSetup } from "../metric-definition.ts"
import type { RagRow } from "./rag-row.ts"

/** A question to the judge. */
export interface JudgeQuestion {
  readonly content: string
  /** The JSON Schema of its answer. */
  readonly answer: object
}

/** Asks the judge. */
export type Ask = (question: JudgeQuestion) => Promise<JudgeReply>

/** Returns the vectors of texts, in their order. @throws what the client of the endpoint throws */
export type Embed = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>

interface AskingMetric {
  readonly row: RagRow
  readonly readsOutput: boolean
  /** Returns the first questions about a row, which do not depend on answers of the judge. */
  readonly first: (input: ScoreInput) => readonly JudgeQuestion[]
  readonly score: (ask: Ask, input: ScoreInput, embed: Embed) => Promise<MetricOutcome>
  /** The endpoint for vectors. Undefined: the metric needs none. */
  readonly embeddings?: ApiEndpoint
  /** Default 0 to 1. */
  readonly range?: readonly [low: number, high: number]
}

/** Defines a metric that asks the judge in `params.judge` questions that depend on each other. Its score has its type as name. @throws `invalid_request` if there is no judge */
export function askingMetric(
  setup: MetricSetup,
  { row, readsOutput, first, score, embeddings, range = [0, 1] }: AskingMetric,
): MetricDefinition {
  const { key, type, params, name, run } = setup
  const judge = judgeModel(fieldsOf(params["judge"]), `${name}.judge`)
  const formatOf = ({ answer }: JudgeQuestion) => ({ type: "json_schema", json_schema: { name: type, schema: answer } })
  const messagesOf = ({ content }: JudgeQuestion) => ({ messages: [{ role: "user", content }] })
  return {
    key,
    type,
    scores: [type],
    fields: [...fieldsOfTemplates(row.templates), ...row.fields],
    readsOutput,
    endpoints: [judge.endpoint],
    renderRequests: (input) =>
      first(input).map((question) => judgeRequest({ judge, format: formatOf(question) }, messagesOf(question))),
    async bind(context) {
      const vectors = embeddings === undefined ? undefined : await context.models.open(embeddings)
      return {
        key,
        type,
        scores: [type],
        ranges: { [type]: range },
        isRemote: true,
        score: (input, options) =>
          score(
            async (question) => {
              const ask = await openMetricJudge({ judge, format: formatOf(question), run }, context)
              return ask(messagesOf(question), options)
            },
            input,
            async (texts) => (await vectors?.client.embed(texts, { ...options, ...run }))?.vectors ?? [],
          ),
      }
    },
  }
}
