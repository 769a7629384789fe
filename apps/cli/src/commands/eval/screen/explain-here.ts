import { explainJob, type ExplainableJob } from "@assay/evaluation"
import type { JobExplanation } from "@assay/schemas"

/** Matches commands that work only with jobs of a server. */
const SERVED = /^assay eval (download|watch|launch)\b/

/**
 * Explains a job.
 * @param folder the name of a local run in commands, in place of the job's id; undefined for a job of a server
 */
export function explainHere(job: ExplainableJob, folder: string | undefined): JobExplanation {
  if (folder === undefined) return explainJob(job)
  const explanation = explainJob({ ...job, id: folder })
  return { ...explanation, next: explanation.next.filter((command) => !SERVED.test(command)) }
}
