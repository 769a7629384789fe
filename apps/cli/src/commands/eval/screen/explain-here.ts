import { explainJob, type ExplainableJob } from "@assay/evaluation"
import type { JobExplanation } from "@assay/schemas"

/** What only a server's jobs can be asked for. */
const SERVED = /^assay eval (download|watch|launch)\b/

/** Explains a job; `folder` is what commands call a run of this machine, in place of the id that a server would know. */
export function explainHere(job: ExplainableJob, folder: string | undefined): JobExplanation {
  if (folder === undefined) return explainJob(job)
  const explanation = explainJob({ ...job, id: folder })
  return { ...explanation, next: explanation.next.filter((command) => !SERVED.test(command)) }
}
