import type { EvaluationJob, JobStatus } from "@assay/schemas"
import type { ReactElement } from "react"
import { Badge, type Tone } from "../../../components/badge.tsx"
import { verdictOf } from "./job-facts.ts"

const TONES: Readonly<Record<JobStatus, Tone>> = {
  CREATED: "PLAIN",
  PENDING: "PLAIN",
  RUNNING: "RUNNING",
  CANCELLING: "INCONCLUSIVE",
  CANCELLED: "INCONCLUSIVE",
  // It says that the rows were asked, and not that the scores are good.
  COMPLETED: "PLAIN",
  FAILED: "FAIL",
  UNAVAILABLE: "INCONCLUSIVE",
}

/** Statuses in which a job does not run, and will not run without a request. */
const FINAL: ReadonlySet<JobStatus> = new Set(["COMPLETED", "FAILED", "CANCELLED"])

/** Returns whether a job has ended. */
export function hasEnded(status: JobStatus): boolean {
  return FINAL.has(status)
}

interface JobProps {
  readonly job: Pick<EvaluationJob, "status" | "status_details">
}

/** Renders the status of a job, and beside it its verdict. */
export function JobState({ job }: JobProps): ReactElement {
  const verdict = verdictOf(job)
  return (
    <>
      <Badge text={job.status} tone={TONES[job.status]} />
      {verdict === undefined ? null : <Badge text={verdict} tone={verdict} />}
    </>
  )
}

/** Renders the verdict of a job for lists. A job that has none shows its status. */
export function JobVerdictBadge({ job }: JobProps): ReactElement {
  const verdict = verdictOf(job)
  return verdict === undefined ? (
    <Badge text={job.status} tone={TONES[job.status]} />
  ) : (
    <Badge text={verdict} tone={verdict} />
  )
}
