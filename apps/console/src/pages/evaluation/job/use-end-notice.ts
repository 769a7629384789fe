import { printable, type EvaluationJob } from "@assay/schemas"
import { useEffect, useRef } from "react"
import { showUnseenTitle } from "../ends/unseen-title.ts"
import { endOf } from "../jobs/job-facts.ts"
import { nameOfJob } from "../jobs/job-names.ts"
import { hasEnded } from "../jobs/job-status.tsx"

/** Says in the title of a tab that nobody looks at that its job has ended. The title is the usual one as soon as somebody looks. */
export function useEndNotice(job: EvaluationJob | undefined): void {
  const wasRunning = useRef(false)
  useEffect(() => {
    if (job === undefined) return
    if (!hasEnded(job.status)) {
      wasRunning.current = true
      return
    }
    if (wasRunning.current) showUnseenTitle(`${endOf(job)}: ${printable(nameOfJob(job))} · Assay`)
    wasRunning.current = false
  }, [job])
}
