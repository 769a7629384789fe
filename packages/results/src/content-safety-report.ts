import {
  parseLabelledPrompt,
  reportCalibration,
  tallyJudgements,
  type CalibrationReport,
  type CalibrationReportOptions,
  type JudgedPrompt,
  type Judgement,
} from "@assay/guardrails"
import type { EvaluationRow } from "@assay/schemas"

export interface ContentSafetyReportOptions extends CalibrationReportOptions {
  /** The name of the guardrail of each task in the report, in the order of the report. */
  readonly names: ReadonlyMap<string, string>
  /** Number of times that each row was judged. Default 1. */
  readonly repeat?: number | undefined
  /** Milliseconds that the job took. Default 0. */
  readonly elapsedMs?: number | undefined
}

/**
 * Makes a calibration report from the rows of guardrail tasks, each with its last attempt: rates with intervals, by category and
 * language, and the conditions of each judge. No request is sent.
 */
export async function contentSafetyReport(
  rows: AsyncIterable<EvaluationRow>,
  { names, repeat = 1, elapsedMs = 0, ...options }: ContentSafetyReportOptions,
): Promise<CalibrationReport> {
  async function* judgements(): AsyncGenerator<Judgement, void, undefined> {
    for await (const row of rows) {
      const judge = names.get(row.task)
      const judged = judgedOf(row)
      if (judge === undefined || judged === undefined) continue
      const { row_index, repeat, item } = row
      yield { judge, row: row_index, prompt: parseLabelledPrompt(item, row_index + 1), repeat, judged }
    }
  }

  const run = await tallyJudgements(judgements(), { judges: [...names.values()], repeat, elapsedMs })
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
