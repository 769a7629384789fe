import type { CalibrationReport } from "@assay/guardrails"
import type { DatasetPin, EvaluationJob } from "@assay/schemas"
import type { Journal } from "../journal/journal.ts"
import { contentSafetyReport } from "../metrics/content-safety/content-safety-report.ts"
import { latestRows } from "./latest-rows.ts"

export interface GuardrailReportsInput {
  readonly job: Pick<EvaluationJob, "target" | "config">
  readonly journal: Pick<Journal, "read">
  readonly pins: readonly DatasetPin[]
  readonly tasks: readonly string[]
}

/** Of each task of a `content_safety` job what a calibration would say of the guardrail; nothing of other jobs. */
export async function* guardrailReports(
  { job: { config, target }, journal, pins, tasks }: GuardrailReportsInput,
  signal?: AbortSignal,
): AsyncGenerator<CalibrationReport, void, undefined> {
  if (config.type !== "content_safety") return
  const data = pins.map(({ files_url }) => files_url).join(", ") || "the rows of the job"
  const name = target.model?.api_endpoint.model_id ?? config.name ?? "guardrail"
  for (const task of tasks) {
    const rows = latestRows((stop) => journal.read(stop), task, signal)
    yield await contentSafetyReport(rows, { name, data, ...(signal === undefined ? {} : { signal }) })
  }
}
