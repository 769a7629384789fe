import { printable, type EvaluationJob } from "@assay/schemas"
import { useEffect, useRef } from "react"
import { nameOfJob } from "../jobs/job-names.ts"
import { hasEnded } from "../jobs/job-status.tsx"

/** Says in the title of a tab that nobody looks at that its job has ended. The title is the usual one as soon as somebody looks. */
export function useEndNotice(job: EvaluationJob | undefined): void {
  const wasRunning = useRef(false)
  const isOver = job !== undefined && hasEnded(job.status)
  useEffect(() => {
    if (job === undefined) return undefined
    if (!isOver) wasRunning.current = true
    if (!isOver || !wasRunning.current || !document.hidden) return undefined
    wasRunning.current = false
    const usual = document.title
    document.title = `${job.status}: ${printable(nameOfJob(job))} · Assay`
    const restore = () => {
      if (!document.hidden) document.title = usual
    }
    document.addEventListener("visibilitychange", restore)
    return () => document.removeEventListener("visibilitychange", restore)
  }, [job, isOver])
}
