import { cutMiddle, printable } from "@assay/schemas"
import { readIndexList } from "../run/index-list.ts"
import type { ShardProcess } from "../executor.ts"
import type { KubernetesJob, KubernetesPod } from "./api/api-objects.ts"

/** The label in which a pod has its completion index. */
export const INDEX_LABEL = "batch.kubernetes.io/job-completion-index"
/** The label in which a pod has the name of its Job. */
export const JOB_LABEL = "batch.kubernetes.io/job-name"

/** Conditions of a Job whose pods have ended. */
const FINISHED = new Set(["Complete", "Failed"])
/** Conditions of a Job that starts no pods any more. */
const ENDED = new Set([...FINISHED, "FailureTarget", "SuccessCriteriaMet"])

/** Characters of a reason. */
const MAX_REASON = 100

/**
 * Returns the processes of the shards of a Job, by its counts and the pods that have not succeeded.
 * @param indexes the shards, in the order of the completion indexes
 * @param job undefined: it is deleted. Its pods can still end
 */
export function shardStates(
  job: KubernetesJob | undefined,
  pods: readonly KubernetesPod[],
  indexes: readonly number[],
): readonly ShardProcess[] {
  const newest = newestPods(pods)
  const completed = readIndexList(job?.status?.completedIndexes ?? "")
  const failed = readIndexList(job?.status?.failedIndexes ?? "")
  const end = job === undefined ? "JobDeleted" : endOf(job)
  const waiting = job && reasonToWait(job)
  return indexes.map((index, completion) => {
    const pod = newest.get(completion)
    const location = pod === undefined ? undefined : locationOf(pod)
    const known = location === undefined ? { index } : { index, location }
    if (completed.has(completion)) return { ...known, state: "ended" }
    if (pod !== undefined && !hasEnded(pod)) return { ...known, ...activeState(pod) }
    const reason = pod === undefined ? undefined : reasonOfEnd(pod)
    if (failed.has(completion)) {
      const ofJob = end === "FailedIndexes" ? undefined : end
      return { ...known, state: "ended", ...withReason(reason ?? ofJob ?? "Failed") }
    }
    if (end !== undefined) return { ...known, state: "ended", ...withReason(end) }
    // The next pod waits for its turn, or for the end of the wait after a failure.
    return { ...known, state: "waiting", ...withReason(reason ?? waiting) }
  })
}

/** Returns whether a Job and all of its pods have ended. */
export function hasJobFinished({ status }: KubernetesJob): boolean {
  return status?.conditions?.some(({ type, status: is }) => is === "True" && FINISHED.has(type)) ?? false
}

/** Returns whether a Job starts no further pods. Those that run may still end. */
export function hasJobEnded(job: KubernetesJob): boolean {
  return endOf(job) !== undefined
}

/** Returns the completion indexes that a Job still has to run, of so many. */
export function unfinishedIndexes(job: KubernetesJob, count: number): readonly number[] {
  if (hasJobEnded(job)) return []
  const ended = [readIndexList(job.status?.completedIndexes ?? ""), readIndexList(job.status?.failedIndexes ?? "")]
  return Array.from({ length: count }, (_, index) => index).filter((index) => !ended.some((set) => set.has(index)))
}

/** Returns why a Job starts no pods any more. Undefined if it does. */
function endOf({ metadata, status }: KubernetesJob): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return "JobDeleted"
  const end = status?.conditions?.find(({ type, status: is }) => is === "True" && ENDED.has(type))
  return end === undefined ? undefined : (end.reason ?? end.type)
}

function reasonToWait({ spec, metadata }: KubernetesJob): string | undefined {
  if (spec?.suspend !== true) return undefined
  return metadata.labels?.["kueue.x-k8s.io/queue-name"] === undefined ? "Suspended" : "QueuedByKueue"
}

/** Returns the pod of each completion index that runs, or else the one that ran last. */
function newestPods(pods: readonly KubernetesPod[]): ReadonlyMap<number, KubernetesPod> {
  const newest = new Map<number, KubernetesPod>()
  for (const pod of pods) {
    const text = pod.metadata.labels?.[INDEX_LABEL] ?? ""
    if (!/^\d{1,9}$/.test(text)) continue
    const before = newest.get(Number(text))
    if (before === undefined || isNewer(pod, before)) newest.set(Number(text), pod)
  }
  return newest
}

function isNewer(pod: KubernetesPod, than: KubernetesPod): boolean {
  if (hasEnded(pod) !== hasEnded(than)) return hasEnded(than)
  return comparePods(pod, than) > 0
}

/** Compares two pods by the time at which they were created. */
export function comparePods(a: KubernetesPod, b: KubernetesPod): number {
  const first = a.metadata.creationTimestamp ?? ""
  const second = b.metadata.creationTimestamp ?? ""
  if (first !== second) return first < second ? -1 : 1
  return a.metadata.name < b.metadata.name ? -1 : 1
}

function hasEnded({ status }: KubernetesPod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed"
}

function activeState(pod: KubernetesPod): Pick<ShardProcess, "state" | "reason"> {
  const { metadata, status } = pod
  if (status?.phase === "Pending") return { state: "waiting", ...withReason(reasonOfWaiting(pod)?.reason) }
  const reason = metadata.deletionTimestamp === undefined ? undefined : "Terminating"
  return { state: "running", ...withReason(status?.phase === "Unknown" ? "NodeLost" : reason) }
}

/** Returns why a pod does not run yet: its container waits, or no node fits. */
export function reasonOfWaiting({
  status,
}: KubernetesPod): { readonly reason: string; readonly message?: string | undefined } | undefined {
  if (status?.phase !== "Pending") return undefined
  const container = status.containerStatuses?.find(({ state }) => state?.waiting?.reason !== undefined)?.state?.waiting
  if (container?.reason !== undefined) return { reason: container.reason, message: container.message }
  const unscheduled = status.conditions?.find(({ type, status: is }) => type === "PodScheduled" && is === "False")
  return unscheduled?.reason === undefined ? undefined : { reason: unscheduled.reason, message: unscheduled.message }
}

/** Returns why a pod has failed: a disruption such as `EvictionByEvictionAPI`, or its container's word, such as `OOMKilled`. */
export function reasonOfEnd({ status }: KubernetesPod): string | undefined {
  if (status?.phase !== "Failed") return undefined
  const disruption = status.conditions?.find(({ type, status: is }) => type === "DisruptionTarget" && is === "True")
  const container = status.containerStatuses?.find(({ state }) => state?.terminated !== undefined)?.state?.terminated
  return disruption?.reason ?? status.reason ?? container?.reason ?? "Failed"
}

function locationOf({ metadata, spec }: KubernetesPod): string {
  const pod = printable(cutMiddle(metadata.name, 253))
  return spec?.nodeName === undefined ? pod : `${pod} on ${printable(cutMiddle(spec.nodeName, 253))}`
}

function withReason(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined ? {} : { reason: printable(cutMiddle(reason, MAX_REASON)) }
}
