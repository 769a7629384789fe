import { formatReportHtml, type CalibrationReport } from "@assay/guardrails"
import { formatJson } from "@assay/reports"
import type { Condition, ConditionCode, DatasetPin, EvaluationJob } from "@assay/schemas"
import type { Journal } from "../journal/journal.ts"
import { contentSafetyReport } from "../metrics/content-safety/content-safety-report.ts"
import { type ResultsInput, type ResultsSink, writeText } from "./results-input.ts"
import { readLatestRows } from "./rows/read-latest-rows.ts"

export interface GuardrailReportsInput {
  readonly job: Pick<EvaluationJob, "target" | "config">
  readonly journal: Pick<Journal, "read">
  readonly pins: readonly DatasetPin[]
  readonly tasks: readonly string[]
}

/** Conditions that no single row shows. The others are found while the rows are scored. */
const OVER_ALL_ROWS: ReadonlySet<string> = new Set<ConditionCode>(["judge_overblocks", "judge_underblocks"])

/**
 * Returns the conditions that the guardrail of a `content_safety` job blocks too much or misses too much. Other jobs have none.
 * @param now returns milliseconds since 1970, UTC
 */
export async function findGuardrailConditions(
  input: GuardrailReportsInput,
  now: () => number,
): Promise<readonly Condition[]> {
  const found: Condition[] = []
  for await (const { conditions } of reportGuardrail(input)) {
    for (const { code, judge, title, message, evidence, remedy, count } of conditions) {
      if (!isOverAllRows(code)) continue
      const at = new Date(now()).toISOString()
      const named = { message: `${judge}: ${message}`, evidence: [...evidence] }
      found.push({ code, title, ...named, remedy, count, first_seen: at, last_seen: at })
    }
  }
  return found
}

/**
 * Writes whether the guardrail of a `content_safety` job is fit to guard: `guardrail.html` and `guardrail.json` for the
 * first task, `guardrail-2` and so on for the others. Writes nothing for other jobs.
 */
export async function writeGuardrailReports(
  { job, journal, pins, result }: Pick<ResultsInput, "job" | "journal" | "pins" | "result">,
  sink: ResultsSink,
  signal?: AbortSignal,
): Promise<void> {
  if (journal === undefined || result === null) return
  let number = 0
  for await (const report of reportGuardrail({ job, journal, pins, tasks: Object.keys(result.tasks) }, signal)) {
    number++
    const path = `results/guardrail${number === 1 ? "" : `-${number}`}`
    await writeText(sink, `${path}.json`, formatJson(report))
    await writeText(sink, `${path}.html`, formatReportHtml(report))
  }
}

/** Yields a calibration report of the guardrail for each task of a `content_safety` job. */
async function* reportGuardrail(
  { job: { config, target }, journal, pins, tasks }: GuardrailReportsInput,
  signal?: AbortSignal,
): AsyncGenerator<CalibrationReport, void, undefined> {
  if (config.type !== "content_safety") return
  const data = pins.map(({ files_url }) => files_url).join(", ") || "the rows of the job"
  const name = target.model?.api_endpoint.model_id ?? config.name ?? "guardrail"
  for (const task of tasks) {
    const rows = readLatestRows((stop) => journal.read(stop), task, signal)
    yield await contentSafetyReport(rows, { name, data, signal })
  }
}

function isOverAllRows(code: string): code is ConditionCode {
  return OVER_ALL_ROWS.has(code)
}
