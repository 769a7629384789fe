import { isFinalJobStatus, type Condition, type EvaluationJob, type JobExplanation } from "@assay/schemas"
import { nextSteps } from "./next-steps.ts"

/** The fields of a job that explain it. */
export type ExplainableJob = Pick<
  EvaluationJob,
  "id" | "namespace" | "status" | "status_details" | "conditions" | "target" | "config"
>

/** Matches commands that work only with jobs of a server. */
const SERVED = /^assay eval (download|watch|launch)\b/

/**
 * Explains a job: what happened, the conditions with evidence and remedy, and the commands to run next.
 * @param folder the folder of a run on this machine, as commands name it; undefined for a job of a server
 */
export function explainJob(job: ExplainableJob, folder?: string): JobExplanation {
  const { status, conditions } = job
  const steps =
    folder === undefined ? nextSteps(job) : nextSteps({ ...job, id: folder }).filter((command) => !SERVED.test(command))
  return { status, summary: summaryOf(job), conditions, next: [...steps] }
}

function summaryOf({ status, status_details, conditions }: ExplainableJob): string {
  const message = status_details.message.trim()
  const details = message === "" ? "" : ` ${/[.!?]$/.test(message) ? message : `${message}.`}`
  return `${beginning(status)}${details} ${conditionsIn(conditions, status)}`.trim()
}

function beginning(status: ExplainableJob["status"]): string {
  switch (status) {
    case "CREATED":
    case "PENDING":
      return "The job waits for a runner."
    case "RUNNING":
      return "The job is running."
    case "CANCELLING":
      return "The job is stopping; rows with an answer are kept."
    case "CANCELLED":
      return "The job was cancelled; rows with an answer are kept."
    case "COMPLETED":
      return "The job has finished."
    case "FAILED":
      return "The job has failed."
    case "UNAVAILABLE":
      return "The runner of the job has stopped reporting, and another runner continues the job."
    default:
      status satisfies never
      return ""
  }
}

function conditionsIn(conditions: readonly Condition[], status: ExplainableJob["status"]): string {
  const [first, ...others] = conditions
  if (first === undefined) {
    if (status === "FAILED") return "No known condition was found: read its log."
    return isFinalJobStatus(status) ? "No problem was found." : ""
  }
  const titles = [first, ...others].map(({ title }) => title).join("; ")
  return others.length === 0
    ? `One condition was found: ${titles}.`
    : `${others.length + 1} conditions were found: ${titles}.`
}
