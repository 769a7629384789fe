import type { EvaluationJob, EvaluationTargetBody } from "@assay/schemas"
import { formatTime } from "../text/format-time.ts"
import { formatTable, type Layout } from "./format-table.ts"
import { toneOf } from "./tone.ts"

/** Formats a listing of evaluation jobs. */
export function formatJobs(jobs: readonly EvaluationJob[], layout: Layout): string {
  if (jobs.length === 0) return "no evaluation jobs\n"
  return formatTable(
    jobs,
    [
      { heading: "JOB", value: ({ id }) => id },
      { heading: "STATUS", cut: "nothing", value: ({ status }) => status, tone: ({ status }) => toneOf(status) },
      {
        heading: "VERDICT",
        cut: "nothing",
        value: ({ status_details: { verdict } }) => verdict ?? "–",
        tone: ({ status_details: { verdict } }) => toneOf(verdict ?? ""),
      },
      { heading: "DONE", value: ({ status_details: { progress } }) => percent(progress), align: "right" },
      { heading: "WORKSPACE", drop: 1, cut: "middle", value: ({ namespace }) => namespace },
      { heading: "TARGET", drop: 2, cut: "middle", value: ({ target }) => targetName(target) },
      { heading: "NAME", cut: "middle", value: (job) => jobTitle(job) ?? job.config.type },
      { heading: "CREATED", cut: "nothing", value: ({ created_at }) => formatTime(created_at, layout.now) },
      { heading: "CONDITIONS", drop: 3, value: ({ conditions }) => conditions.map(({ code }) => code).join(", ") },
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

/** Returns what people call a job: the first line of its description, or the name of its configuration. Undefined if it has neither. */
export function jobTitle({ description, config }: Pick<EvaluationJob, "description" | "config">): string | undefined {
  const [line = ""] = description.split("\n", 1)
  return line.trim() === "" ? config.name : line.slice(0, MAX_NAME)
}

/** Maximum number of characters of a description in a list. */
const MAX_NAME = 40
