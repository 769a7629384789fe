import { readsOutput } from "../../templates/row-template.ts"
import { compileRequestTemplate } from "../../templates/prompt-template.ts"
import type { MetricOutcome } from "../bound-metric.ts"
import type { DefineMetric } from "../metric-definition.ts"
import { judgeModel, judgeRequest, openMetricJudge, type JudgeReply } from "./open-metric-judge.ts"
import { type ScoreReader, scoreDefinitions, scoreFormat, scoreReader } from "./score-definitions.ts"

/**
 * `llm-judge`: a model gets the row and the answer in `template`, and writes the named `scores`. `structured_output: false` turns the
 * JSON schema off. A score that can't be read is NaN, with the reason and the judge's answer.
 */
export const llmJudgeMetric: DefineMetric = ({ key, type, params, name, run }) => {
  const judge = judgeModel(params, name)
  const template = compileRequestTemplate(params["template"], `${name}.template`)
  const definitions = scoreDefinitions(params["scores"], `${name}.scores`)
  const readers = definitions.map(scoreReader)
  const format = params["structured_output"] === false ? undefined : scoreFormat(definitions)
  const scores = readers.map((reader) => reader.name)
  const labels = Object.fromEntries(
    readers.flatMap((one) => (one.labels === undefined ? [] : [[one.name, one.labels]])),
  )
  const ranges = Object.fromEntries(
    readers.flatMap(({ name: score, range }) => (range === undefined ? [] : [[score, range]])),
  )
  return {
    key,
    type,
    scores,
    fields: template.fields,
    readsOutput: readsOutput(template.templates),
    endpoints: [judge.endpoint],
    renderRequests: (input, steps) => [judgeRequest({ judge, format }, template.render(input, steps))],
    async bind(context) {
      const ask = await openMetricJudge({ judge, format, run }, context)
      return {
        key,
        type,
        scores,
        labels,
        ranges,
        isRemote: true,
        score: async (input, options) => readScores(readers, await ask(template.render(input), options)),
      }
    },
  }
}

function readScores(readers: readonly ScoreReader[], reply: JudgeReply): MetricOutcome {
  const found = readers.map(({ name, read }) => ({ name, ...read(reply) }))
  const isWhole = found.every(({ value }) => value !== "NaN")
  const isContradictory = found.some(({ reason }) => reason === "contradictory")
  return {
    scores: Object.fromEntries(found.map(({ name, value }) => [name, value])),
    labels: Object.fromEntries(found.flatMap(({ name, label }) => (label === undefined ? [] : [[name, label]]))),
    ...(isWhole ? {} : { unreadable: reply.unreadable(isContradictory ? "contradictory" : null) }),
  }
}
