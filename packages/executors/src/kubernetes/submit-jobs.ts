import { AssayError, printable } from "@assay/schemas"
import { formatIndexList, parseIndexList } from "../run/index-list.ts"
import type { ExecutorPorts, ShardWork, Submission } from "../executor.ts"
import type { ApiClient } from "./api/api-client.ts"
import type { KubernetesJob } from "./api/api-objects.ts"
import { ANNOTATIONS, type JobManifest, mergeJob, runSelector, shardsJob, submittedIndexes } from "./job-manifests.ts"
import { jobBaseName, submissionNumber } from "./job-names.ts"
import type { KubernetesProfile } from "./kubernetes-profile.ts"
import { GRACE_SECONDS } from "./pod-template.ts"
import { hasJobEnded, JOB_LABEL, unfinishedIndexes } from "./shard-states.ts"

export interface JobsToSubmit extends Pick<ExecutorPorts, "sleep"> {
  readonly profile: KubernetesProfile
  readonly work: ShardWork
}

/** The names of Jobs, the shards first. */
export interface SubmittedJobs extends Pick<Submission, "indexes" | "merges"> {
  readonly names: readonly string[]
}

/** A Job, and the shards that it still has to run. */
interface RunningJob {
  readonly job: KubernetesJob
  readonly shards: ReadonlySet<number>
}

/** Milliseconds until the removal of Jobs gives up. */
const REMOVE_MS = 10_000

/**
 * Creates the Jobs of a submission. If a Job with the same program still has to run all of its shards, such as one of a process that was killed after it
 * had created it, takes that one, with all of its shards. If a Job is refused, removes the others; if they can't be removed, returns them, because they
 * may run.
 * @throws `executor_failed` if another Job still has to run some of the shards; the reason of the signal
 */
export async function submitJobs(api: ApiClient, wanted: JobsToSubmit, signal: AbortSignal): Promise<SubmittedJobs> {
  const { profile, work } = wanted
  const base = jobBaseName(work)
  const jobs = await api.listJobs(runSelector(work), signal)
  const numbers = jobs.map(({ metadata }) => submissionNumber(base, metadata.name) ?? 0)
  const next = { namespace: api.namespace, number: Math.max(0, ...numbers) + 1 }
  const planned = shardsJob(profile, work, next)
  const running = jobs.map((job) => ({ job, shards: unfinishedShards(job) }))
  const same = running.find(({ job, shards }) => doesSame(job, planned) && work.indexes.every((one) => shards.has(one)))
  if (same === undefined) {
    checkNoOverlap(running, work)
    await untilPodsHaveEnded(api, wanted, { jobs, signal })
  }
  const { name } = (same?.job ?? planned).metadata
  const number = submissionNumber(base, name) ?? next.number
  const merges = work.merges ? [mergeJob(profile, work, { ...next, number })] : []
  const names = [name, ...merges.map(({ metadata }) => metadata.name)]
  const indexes = same === undefined ? submittedIndexes(work) : shardsOfJob(same.job)
  const created = same === undefined ? [planned, ...merges] : merges
  try {
    for (const job of created) await createJob(api, job, signal)
    return { names, indexes, merges: work.merges }
  } catch (error) {
    if (await areRemoved(api, created)) throw error
    return { names, indexes, merges: false }
  }
}

function doesSame({ metadata }: KubernetesJob, planned: JobManifest): boolean {
  return metadata.annotations?.[ANNOTATIONS.work] === planned.metadata.annotations[ANNOTATIONS.work]
}

/** Creates a Job, also if an answer is lost: the next one says that it exists, or that the quota is used up, by this Job. */
async function createJob(api: ApiClient, job: JobManifest, signal: AbortSignal): Promise<void> {
  try {
    await api.createJob(job, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!(await isCreated(api, job, signal))) throw error
  }
}

async function isCreated(api: ApiClient, job: JobManifest, signal: AbortSignal): Promise<boolean> {
  const found = await api.getJob(job.metadata.name, signal)
  return found !== undefined && found.metadata.deletionTimestamp === undefined && doesSame(found, job)
}

/** Removes the Jobs that were created. Returns whether none of them runs. */
async function areRemoved(api: ApiClient, jobs: readonly JobManifest[]): Promise<boolean> {
  const signal = AbortSignal.timeout(REMOVE_MS)
  try {
    for (const job of jobs) if (await isCreated(api, job, signal)) await api.deleteJob(job.metadata.name, signal)
    return true
  } catch {
    return false
  }
}

/** @throws `executor_failed` if a Job of the run still has to run one of the shards */
function checkNoOverlap(running: readonly RunningJob[], work: ShardWork): void {
  const wanted = submittedIndexes(work)
  for (const { job, shards } of running) {
    const both = wanted.filter((index) => shards.has(index))
    if (both.length === 0) continue
    const message = `The Job '${printable(job.metadata.name)}' still runs shards of this run (${formatIndexList(both).slice(0, 80)}): cancel it, or wait for its end.`
    throw new AssayError("executor_failed", message)
  }
}

/**
 * Waits for the pods of Jobs that were deleted or have failed, so that no row is asked twice. One that does not end in its time is on a lost node: then
 * both processes of a shard run, and one of them publishes its rows.
 */
async function untilPodsHaveEnded(
  api: ApiClient,
  { profile, work, sleep }: JobsToSubmit,
  { jobs, signal }: { readonly jobs: readonly KubernetesJob[]; readonly signal: AbortSignal },
): Promise<void> {
  const running = new Set(jobs.filter((job) => !hasJobEnded(job)).map(({ metadata }) => metadata.name))
  const labels = `${runSelector(work)},app.kubernetes.io/component=shard`
  const fields = "status.phase!=Succeeded,status.phase!=Failed"
  for (let left = (profile.grace_seconds ?? GRACE_SECONDS) + 10; left > 0; left--) {
    const pods = await api.listPods({ labels, fields }, signal)
    if (pods.every(({ metadata }) => running.has(metadata.labels?.[JOB_LABEL] ?? ""))) return
    await sleep(1000, signal)
  }
}

function unfinishedShards(job: KubernetesJob): ReadonlySet<number> {
  const shards = shardsOfJob(job)
  return new Set(unfinishedIndexes(job, shards.length).map((at) => shards[at] ?? -1))
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
