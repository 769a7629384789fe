import { printable, type EvaluationJob } from "@assay/schemas"
import { useEffect, useRef } from "react"
import { nameOfJob } from "../jobs/job-names.ts"
import { hasEnded } from "../jobs/job-status.tsx"
import { endNotification } from "./notify-at-end.tsx"

/**
 * Says that a job has ended if nobody looks at its tab: in the title, and with a notification if the browser may show any. The title is the
 * usual one as soon as somebody looks.
 */
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
      const text = `${job.status}: ${printable(nameOfJob(job))}`
      document.title = `${text} · Assay`
      if (endNotification() === "granted") showNotification(text, job.id)
    }
    wasRunning.current = false
  }, [job])
}

/** Shows a notification that leads to the tab. Two tabs of one job show one. */
function showNotification(text: string, id: string): void {
  try {
    const shown = new Notification(text, { tag: id })
    shown.addEventListener("click", () => {
      globalThis.focus()
      shown.close()
    })
  } catch {
    // Browsers of phones have the constructor, and refuse it: there the title says it.
  }
}
