import {
  maskKeys,
  maskUrlUsers,
  vendorJobStatus,
  type EvaluationConfigBody,
  type EvaluationJob,
  type EvaluationResult,
  type JobStatus,
  type JobStatusAnswer,
  type MetricConfig,
  type WireNames,
} from "@assay/schemas"
import { loadEvaluation } from "./load-evaluation.ts"

/** Returns the word for a status in answers. */
export function statusWord(status: JobStatus, wireNames: WireNames): string {
  return wireNames === "vendor" ? vendorJobStatus(status) : status
}

/** Returns a record with the word for its status in answers. */
export function withStatusWord<T extends { readonly status: JobStatus }>(
  record: T,
  wireNames: WireNames,
): Omit<T, "status"> & { status: string } {
  return { ...record, status: statusWord(record.status, wireNames) }
}

/** Returns a job in the form of answers, without keys and passwords. */
export function presentJob(
  job: EvaluationJob,
  wireNames: WireNames,
): Omit<EvaluationJob, "status"> & { status: string } {
  const { target, config } = job
  const output_files_url = maskUrlUsers(job.output_files_url, "output_files_url")
  return withStatusWord({ ...job, target: maskKeys(target), config: maskKeys(config), output_files_url }, wireNames)
}

/** Returns the progress of a job. */
export function statusOfJob({ status, status_details, conditions }: EvaluationJob): JobStatusAnswer & {
  status: EvaluationJob["status"]
} {
  const { samples_processed = 0, samples_total = null } = status_details
  return { status, ...status_details, samples_processed, samples_total, conditions }
}

type Metrics = EvaluationResult["tasks"][string]["metrics"]

const GOAL = "agent_goal_accuracy"

/** Scores that have another name for clients of the first version, by the type of their metric. */
const VENDOR_SCORES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  em: { em_score: "em" },
  f1: { f1_score: "f1" },
  bleu: { sentence: "bleu_score" },
  [`${GOAL}_with_reference`]: { [`${GOAL}_with_reference`]: GOAL },
  [`${GOAL}_without_reference`]: { [`${GOAL}_without_reference`]: GOAL },
}

/** Returns a result whose scores have the vendor's names. Archives and rows keep ours. */
export async function vendorResult(result: EvaluationResult, config: EvaluationConfigBody): Promise<EvaluationResult> {
  const { taskMetrics } = await loadEvaluation()
  const tasks = Object.entries(result.tasks).map(([name, { metrics }]) => {
    const task = config.tasks?.[name]
    return [name, { metrics: task === undefined ? metrics : renamed(metrics, taskMetrics(config, task)) }]
  })
  return { ...result, tasks: Object.fromEntries(tasks) }
}

function renamed(metrics: Metrics, configured: Readonly<Record<string, MetricConfig>>): Metrics {
  const entries = Object.entries(metrics).map(([key, { scores }]) => {
    const names = VENDOR_SCORES[configured[key]?.type ?? ""] ?? {}
    return [key, { scores: Object.fromEntries(Object.entries(scores).map(([n, score]) => [names[n] ?? n, score])) }]
  })
  return Object.fromEntries(entries)
}
