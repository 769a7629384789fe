import { AssayError } from "@assay/schemas"
import type { ApiClient } from "./api/api-client.ts"
import { hasJobFinished } from "./shard-states.ts"

/** Seconds until it gives up. */
const MAX_SECONDS = 60

/**
 * Deletes a Job with its pods. One that has ended keeps them, and their logs, until its `ttl_seconds` have passed.
 * @throws `executor_failed` also for a Job that this executor did not make: its name is in a file that others can write
 */
export async function stopJob(api: ApiClient, name: string): Promise<void> {
  const signal = AbortSignal.timeout(MAX_SECONDS * 1000)
  try {
    const job = await api.getJob(name, signal)
    if (job === undefined || hasJobFinished(job)) return
    if (job.metadata.labels?.["app.kubernetes.io/name"] !== "assay") throw notOurs(name)
    await api.deleteJob(name, signal)
  } catch (cause) {
    if (!signal.aborted) throw cause
    const message = `The cluster did not delete the Job '${name}' within ${MAX_SECONDS} s: cancel again, or delete it with kubectl.`
    throw new AssayError("executor_failed", message, { cause })
  }
}

function notOurs(name: string): AssayError {
  const message = `The run names the Job '${name}', which has no label app.kubernetes.io/name=assay and is not one of Assay: delete the Jobs of the run with kubectl.`
  return new AssayError("executor_failed", message)
}
