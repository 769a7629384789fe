import { printable, type EvaluationJob } from "@assay/schemas"
import { useEffect, useRef } from "react"
import { nameOfJob } from "../jobs/job-names.ts"
import { hasEnded } from "../jobs/job-status.tsx"

/** Says in the title of a tab that nobody looks at that its job has ended. The title is the usual one as soon as somebody looks. */
export function useEndNotice(job: EvaluationJob | undefined): void {
  const wasRunning = useRef(false)
  const usual = useRef<string>(undefined)
  useEffect(() => {
    const restore = () => {
      if (document.hidden || usual.current === undefined) return
      document.title = usual.current
      usual.current = undefined
    }
    document.addEventListener("visibilitychange", restore)
    return () => document.removeEventListener("visibilitychange", restore)
  }, [])
  useEffect(() => {
    if (job === undefined) return
    if (!hasEnded(job.status)) {
      wasRunning.current = true
      return
    }
    if (wasRunning.current && document.hidden) {
      usual.current = document.title
      document.title = `${job.status}: ${printable(nameOfJob(job))} · Assay`
    }
    wasRunning.current = false
  }, [job])
}
