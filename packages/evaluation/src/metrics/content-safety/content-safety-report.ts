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
  /** How the report calls the guardrail. */
  readonly name: string
  readonly signal?: AbortSignal
}

/**
 * The report of a calibration over the rows of a `content_safety` task, each once in its last attempt: rates with intervals, by
 * category and language, and what is wrong with the judge. Of repeats the first counts; nobody is asked.
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
    candidates: [{ name, digest: name, judge: () => Promise.reject(new Error("Every answer is there.")) }],
    rows: prompts(),
    // Each row's answer is looked up before the next row is read.
    journal: { read: () => current, append: () => {}, flush: () => Promise.resolve(), close: () => Promise.resolve() },
    ...(signal === undefined ? {} : { signal }),
    now: () => 0,
  })
  return reportCalibration(run, options)
}

/** Undefined of a row that was no labelled prompt. */
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
