import { isFinalJobStatus, type Condition, type EvaluationJob, type JobExplanation } from "@assay/schemas"
import { nextSteps } from "./next-steps.ts"

/** As much of a job as is needed to explain it. */
export type ExplainableJob = Pick<
  EvaluationJob,
  "id" | "namespace" | "status" | "status_details" | "conditions" | "target" | "config"
>

/** What happened to a job, the conditions that were found with evidence and remedy, and what to run next. */
export function explainJob(job: ExplainableJob): JobExplanation {
  const { status, conditions } = job
  return { status, summary: summaryOf(job), conditions, next: [...nextSteps(job)] }
}

function summaryOf({ status, status_details, conditions }: ExplainableJob): string {
  const message = status_details.message.trim()
  const told = message === "" ? "" : ` ${/[.!?]$/.test(message) ? message : `${message}.`}`
  return `${beginning(status)}${told} ${conditionsIn(conditions, status)}`.trim()
}

function beginning(status: ExplainableJob["status"]): string {
  switch (status) {
    case "CREATED":
    case "PENDING":
      return "The job waits for a runner."
    case "RUNNING":
      return "The job is running."
    case "CANCELLING":
      return "The job is being stopped; what was answered is kept."
    case "CANCELLED":
      return "The job was cancelled; what was answered is kept."
    case "COMPLETED":
      return "The job has finished."
    case "FAILED":
      return "The job has failed."
    case "UNAVAILABLE":
      return "The runner of the job has stopped reporting, and another takes it up."
    default:
      status satisfies never
      return ""
  }
}

function conditionsIn(conditions: readonly Condition[], status: ExplainableJob["status"]): string {
  const [first, ...others] = conditions
  if (first === undefined) {
    if (status === "FAILED") return "No known condition was found: its log tells more."
    return isFinalJobStatus(status) ? "Nothing went wrong that is known." : ""
  }
  const titles = [first, ...others].map(({ title }) => title).join("; ")
  return others.length === 0
    ? `One condition was found: ${titles}.`
    : `${others.length + 1} conditions were found: ${titles}.`
}
