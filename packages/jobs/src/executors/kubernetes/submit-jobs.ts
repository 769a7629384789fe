import { AssayError, isAssayError, printable } from "@assay/schemas"
import { formatIndexList, parseIndexList } from "../../cut-runs/index-list.ts"
import type { ExecutorPorts, ShardWork } from "../executor.ts"
import { type ApiClient, isTransient } from "./api/api-client.ts"
import { statusOf } from "./api/api-errors.ts"
import type { KubernetesJob } from "./api/api-objects.ts"
import { ANNOTATIONS, type JobManifest, mergeJob, runSelector, shardsJob, submittedIndexes } from "./job-manifests.ts"
import { jobBaseName, submissionNumber } from "./job-names.ts"
import type { KubernetesProfile } from "./kubernetes-profile.ts"
import { hasJobEnded, unfinishedIndexes } from "./shard-states.ts"

/** How often a Job is sent if the API server does not respond, and the milliseconds in between. */
const SEND_AGAIN_MS = [1000, 2000, 4000, 8000]

/**
 * Creates the Jobs of a submission, and returns their names, the shards first. If a Job that does the same still runs, such as one of a process that
 * was killed after it had created it, returns that one.
 * @throws `executor_failed` if another Job still runs some of the shards
 */
export async function submitJobs(
  api: ApiClient,
  {
    profile,
    work,
    sleep,
  }: { readonly profile: KubernetesProfile; readonly work: ShardWork } & Pick<ExecutorPorts, "sleep">,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const base = jobBaseName(work)
  const jobs = await api.listJobs(runSelector(work), signal)
  const numbers = jobs.map(({ metadata }) => submissionNumber(base, metadata.name) ?? 0)
  const next = { namespace: api.namespace, number: Math.max(0, ...numbers) + 1 }
  const planned = shardsJob(profile, work, next)
  const same = jobs.find((job) => !hasJobEnded(job) && doesSame(job, planned))
  if (same === undefined) checkNoOverlap(jobs, work)
  const number = (same && submissionNumber(base, same.metadata.name)) ?? next.number
  const shards = same?.metadata.name ?? (await createJob(api, planned, sleep, signal))
  if (!work.merges) return [shards]
  try {
    return [shards, await createJob(api, mergeJob(profile, work, { ...next, number }), sleep, signal)]
  } catch (error) {
    // Nobody would know of the shards.
    if (same === undefined) await api.deleteJob(shards, AbortSignal.timeout(10_000)).catch(() => {})
    throw error
  }
}

function doesSame({ metadata }: KubernetesJob, planned: JobManifest): boolean {
  return metadata.annotations?.[ANNOTATIONS.work] === planned.metadata.annotations[ANNOTATIONS.work]
}

/** Creates a Job once, also if the answer is lost: its name is ours, and its annotation says what it does. */
async function createJob(
  api: ApiClient,
  job: JobManifest,
  sleep: ExecutorPorts["sleep"],
  signal: AbortSignal,
): Promise<string> {
  const { name } = job.metadata
  for (const wait of [...SEND_AGAIN_MS, undefined]) {
    try {
      await api.createJob(job, signal)
      return name
    } catch (error) {
      signal.throwIfAborted()
      if (!isAssayError(error)) throw error
      if (statusOf(error) === 409) {
        const found = await api.getJob(name, signal)
        if (found !== undefined && found.metadata.deletionTimestamp === undefined && doesSame(found, job)) return name
      }
      if (!isTransient(error) || wait === undefined) throw error
      await sleep(wait, signal)
    }
  }
  throw new AssayError("executor_failed", `The Job '${name}' was not created.`)
}

/** @throws `executor_failed` if a Job of the run still runs one of the shards */
function checkNoOverlap(jobs: readonly KubernetesJob[], work: ShardWork): void {
  const wanted = new Set(submittedIndexes(work))
  for (const job of jobs) {
    const shards = shardsOfJob(job)
    const both = unfinishedIndexes(job, shards.length).flatMap((at) => {
      const index = shards[at]
      return index !== undefined && wanted.has(index) ? [index] : []
    })
    if (both.length === 0) continue
    const message = `The Job '${printable(job.metadata.name)}' still runs shards of this run (${formatIndexList(both).slice(0, 80)}): cancel it, or wait for its end.`
    throw new AssayError("executor_failed", message)
  }
}

/** Returns the shards of a Job, in the order of its completion indexes. None if it has no list of them. */
function shardsOfJob({ metadata }: KubernetesJob): readonly number[] {
  const list = metadata.annotations?.[ANNOTATIONS.indexes]
  try {
    return list === undefined ? [] : parseIndexList(list)
  } catch {
    return []
  }
}
