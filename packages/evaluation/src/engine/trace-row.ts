import type { EvaluationRow } from "@assay/schemas"
import { type Span, type Telemetry, traceWork } from "@assay/telemetry"
import type { Work } from "./attempt/work-of-task.ts"
import type { Answered } from "./answer-work.ts"

/** Makes a span of the requests about one row, with an event for each score. */
export function traceRow(
  telemetry: Telemetry,
  task: string,
  { row, repeat }: Work,
  work: () => Answered | Promise<Answered>,
): Promise<Answered> {
  const attributes = { "assay.task": task, "assay.row.index": row.index, "assay.row.repeat": repeat }
  return traceWork(telemetry, { name: "row", attributes }, async (span) => {
    const answered = await work()
    if (answered.failure !== undefined) span?.fail(answered.failure.code)
    if (span !== undefined) addResults(span, answered.row)
    return answered
  })
}

/**
 * Adds the scores of a row. Texts of judges are left out, because they can quote the row.
 * Source: OpenTelemetry, semantic conventions for generative AI, event `gen_ai.evaluation.result`.
 */
function addResults(span: Span, { scores, labels = {}, unreadable = {}, sample }: EvaluationRow): void {
  const { id } = (sample?.response ?? {}) as { readonly id?: unknown }
  for (const [metric, values] of Object.entries(scores)) {
    for (const [score, value] of Object.entries(values)) {
      span.event("gen_ai.evaluation.result", {
        "gen_ai.evaluation.name": `${metric}.${score}`,
        "gen_ai.evaluation.score.value": typeof value === "number" ? value : undefined,
        "gen_ai.evaluation.score.label": labels[metric]?.[score],
        "gen_ai.response.id": typeof id === "string" ? id : undefined,
        "error.type": value === "NaN" ? unreadable[metric]?.reason : undefined,
      })
    }
  }
}
