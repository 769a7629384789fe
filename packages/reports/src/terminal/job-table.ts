import type { EvaluationConfigBody, EvaluationJob, EvaluationTargetBody } from "@assay/schemas"
import { formatTable, type Layout } from "./format-table.ts"
import { toneOf } from "./tone.ts"

/** Formats a listing of evaluation jobs. */
export function formatJobs(jobs: readonly EvaluationJob[], layout: Layout): string {
  if (jobs.length === 0) return "no evaluation jobs\n"
  return formatTable(
    jobs,
    [
      { heading: "JOB", value: ({ id }) => id },
      { heading: "STATUS", value: ({ status }) => status, tone: ({ status }) => toneOf(status) },
      { heading: "DONE", value: ({ status_details: { progress } }) => percent(progress), align: "right" },
      { heading: "WORKSPACE", value: ({ namespace }) => namespace },
      { heading: "TARGET", value: ({ target }) => targetName(target) },
      { heading: "CONFIG", value: ({ config }) => configName(config) },
      { heading: "CREATED", value: ({ created_at }) => created_at },
      { heading: "CONDITIONS", value: ({ conditions }) => conditions.map(({ code }) => code).join(", ") },
    ],
    layout,
  )
}

function percent(progress: number | null): string {
  return progress === null ? "–" : `${Math.floor(progress)} %`
}

function targetName({ name, model, type }: EvaluationTargetBody): string {
  return name ?? model?.api_endpoint.model_id ?? type
}

function configName({ name, type }: EvaluationConfigBody): string {
  return name ?? type
}
