import { formatReportHtml, formatReportJson } from "@assay/guardrails"
import { guardrailReports } from "./guardrail-reports.ts"
import type { ResultsInput } from "./results-input.ts"
import type { ResultsSink } from "./results-sink.ts"
import { textBytes } from "./text-bytes.ts"

/**
 * Of a `content_safety` job whether the guardrail is fit to guard, with its rates by category and language: `guardrail.html` and
 * `.json`, and `guardrail-2` and on for further tasks. Nothing for other jobs.
 */
export async function writeGuardrailReports(
  { job, journal, pins, result }: Pick<ResultsInput, "job" | "journal" | "pins" | "result">,
  sink: ResultsSink,
  signal?: AbortSignal,
): Promise<void> {
  if (journal === undefined || result === null) return
  let number = 0
  for await (const report of guardrailReports({ job, journal, pins, tasks: Object.keys(result.tasks) }, signal)) {
    number++
    const path = `results/guardrail${number === 1 ? "" : `-${number}`}`
    await sink.write(`${path}.json`, textBytes(formatReportJson(report)))
    await sink.write(`${path}.html`, textBytes(formatReportHtml(report)))
  }
}
