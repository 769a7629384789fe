import {
  parseLabelledPrompt,
  reportCalibration,
  runCalibration,
  type CalibrationReport,
  type CalibrationReportOptions,
  type JudgedPrompt,
  type LabelledPrompt,
} from "@assay/guardrails"
import type { EvaluationRow } from "@assay/schemas"

export interface ContentSafetyReportOptions extends CalibrationReportOptions {
  /** The name of the guardrail in the report. */
  readonly name: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes a calibration report from the rows of a `content_safety` task, each with its last attempt: rates with intervals, by category
 * and language, and the conditions of the judge. Only the first repeat of a row counts. No request is sent.
 */
export async function contentSafetyReport(
  rows: AsyncIterable<EvaluationRow>,
  { name, signal, ...options }: ContentSafetyReportOptions,
): Promise<CalibrationReport> {
  let current: JudgedPrompt | undefined

  async function* prompts(): AsyncGenerator<LabelledPrompt, void, undefined> {
    for await (const row of rows) {
      const judged = row.repeat === 0 ? judgedOf(row) : undefined
      if (judged === undefined) continue
      current = judged
      yield parseLabelledPrompt(row.item, row.row_index + 1)
    }
  }

  const run = await runCalibration({
    candidates: [{ name, digest: name, judge: () => Promise.reject(new Error("Every answer is in the journal.")) }],
    rows: prompts(),
    // The answer of each row is read before the next row.
    journal: { read: () => current, append: () => {}, flush: () => Promise.resolve(), close: () => Promise.resolve() },
    signal,
    now: () => 0,
  })
  return reportCalibration(run, options)
}

/** Returns the judgement of a row; undefined if the row is not a labelled prompt. */
function judgedOf({ sample, error }: EvaluationRow): JudgedPrompt | undefined {
  if (error === null) return (sample?.response ?? undefined) as JudgedPrompt | undefined
  if (error.code === "rows_invalid") return undefined
  return {
    outcome: "error",
    reason: error.code,
    message: error.message,
    is_let_through: false,
    latency_ms: 0,
    calls: { made: 1, saved: 0 },
    tokens: null,
  }
}
