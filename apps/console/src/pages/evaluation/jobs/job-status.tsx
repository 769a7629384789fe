import type { JobStatus } from "@assay/schemas"
import type { ReactElement } from "react"
import { Badge, type Tone } from "../../../components/badge.tsx"

const TONES: Readonly<Record<JobStatus, Tone>> = {
  CREATED: "PLAIN",
  PENDING: "PLAIN",
  RUNNING: "RUNNING",
  CANCELLING: "INCONCLUSIVE",
  CANCELLED: "INCONCLUSIVE",
  COMPLETED: "PASS",
  FAILED: "FAIL",
  UNAVAILABLE: "INCONCLUSIVE",
}

/** Statuses in which a job does not run, and will not run without a request. */
const FINAL: ReadonlySet<JobStatus> = new Set(["COMPLETED", "FAILED", "CANCELLED"])

/** Returns whether a job has ended. */
export function hasEnded(status: JobStatus): boolean {
  return FINAL.has(status)
}

/** Renders the status of a job. */
export function JobStatusBadge({ status }: { readonly status: JobStatus }): ReactElement {
  return <Badge text={status} tone={TONES[status]} />
}
