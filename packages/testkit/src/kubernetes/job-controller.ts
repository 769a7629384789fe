import { randomBytes } from "node:crypto"
import { finishedCondition, jobOutcome, type PodOutcome, podOutcome } from "./job-outcome.ts"
import { type ApiJob, type ApiPod, formatRanges, timestamp } from "./kubernetes-objects.ts"
import { keyOf, type ObjectStore } from "./object-store.ts"
import type { Kubelet } from "./pod-processes.ts"

const INDEX_KEY = "batch.kubernetes.io/job-completion-index"
/** The same alphabet as that of Kubernetes, without letters that form words. */
const SUFFIX = "bcdfghjklmnpqrstvwxz2456789"

export interface JobControllerOptions {
  /** Milliseconds before the pod after a failed one, doubled for each further failure. Kubernetes waits 10 s. */
  readonly backoffMs: number
}

/** Does what the Job controller of Kubernetes does: it creates pods, counts their ends, and sets the status of Jobs. */
export interface JobController {
  /** Looks at all Jobs. */
  sync(): void
  close(): void
}

/** The state of a Job in the controller. A real one reads it from finalizers and annotations of pods. */
interface JobMemory {
  /** Pods whose end is counted, by uid. */
  readonly counted: Set<string>
  readonly completed: Set<number>
  readonly failed: Set<number>
  readonly failures: Map<number, number>
  /** When the next pod of an index may start. */
  readonly notBefore: Map<number, number>
  outcome: PodOutcome["action"] | undefined
  /** Pods that end after the end of their Job say nothing about their index. */
  hasEnded: boolean
}

export function createJobController(
  store: ObjectStore,
  kubelet: Kubelet,
  { backoffMs }: JobControllerOptions,
): JobController {
  const memories = new Map<string, JobMemory>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const memoryOf = ({ metadata }: ApiJob): JobMemory => {
    const found = memories.get(metadata.uid)
    if (found !== undefined) return found
    const memory: JobMemory = {
      counted: new Set(),
      completed: new Set(),
      failed: new Set(),
      failures: new Map(),
      notBefore: new Map(),
      outcome: undefined,
      hasEnded: false,
    }
    memories.set(metadata.uid, memory)
    return memory
  }
  const later = (milliseconds: number): void => {
    if (isClosed) return
    clearTimeout(timer)
    timer = setTimeout(sync, Math.max(1, milliseconds))
    timer.unref()
  }
  const sync = (): void => {
    if (isClosed) return
    const now = Date.now()
    const next = [...store.jobs.values()].map((job) => syncJob(job, now)).filter((at) => at !== undefined)
    if (next.length > 0) later(Math.min(...next) - now)
  }
  const syncJob = (job: ApiJob, now: number): number | undefined => {
    const memory = memoryOf(job)
    const pods = store.podsOf(job)
    for (const pod of pods) countEnd(job, pod, memory, { now, backoffMs })
    removeDeleted(store, kubelet, pods)
    if (job.metadata.deletionTimestamp !== undefined) {
      for (const pod of pods) remove(store, kubelet, pod)
      if (store.podsOf(job).length === 0) store.forget(job)
      return undefined
    }
    const end = jobOutcome(job, memory, now)
    memory.hasEnded = end !== undefined
    const active = pods.filter((pod) => !hasEnded(pod))
    if (end !== undefined || job.spec.suspend === true) {
      for (const pod of active) remove(store, kubelet, pod)
    }
    const wake = end === undefined && job.spec.suspend !== true ? startPods(job, memory, active, now) : undefined
    writeStatus(job, memory, end)
    return expire(job, now) ?? wake ?? deadlineOf(job)
  }
  const startPods = (job: ApiJob, memory: JobMemory, active: readonly ApiPod[], now: number): number | undefined => {
    job.status.startTime ??= timestamp(now)
    const { completions = 1, parallelism = 1 } = job.spec
    const busy = new Set(active.map(indexOf))
    let free = parallelism - active.length
    let wake: number | undefined
    for (let index = 0; index < completions && free > 0; index++) {
      if (busy.has(index) || memory.completed.has(index) || memory.failed.has(index)) continue
      const notBefore = memory.notBefore.get(index) ?? 0
      if (notBefore > now) {
        wake = Math.min(wake ?? notBefore, notBefore)
        continue
      }
      free--
      const pod = createPod(store, job, index)
      store.pods.set(keyOf(pod.metadata.namespace, pod.metadata.name), pod)
      kubelet.start(pod)
    }
    return wake
  }
  const writeStatus = (job: ApiJob, memory: JobMemory, end: ReturnType<typeof jobOutcome>): void => {
    const before = JSON.stringify(job.status)
    const pods = store.podsOf(job)
    const running = pods.filter((pod) => !hasEnded(pod))
    const isIndexed = job.spec.completionMode === "Indexed"
    job.status.active = running.filter(({ metadata }) => metadata.deletionTimestamp === undefined).length
    job.status.terminating = running.length - job.status.active
    job.status.ready = running.filter(({ status }) => status.phase === "Running").length
    job.status.succeeded = memory.completed.size
    job.status.failed = [...memory.failures.values()].reduce((sum, count) => sum + count, 0)
    if (isIndexed) {
      job.status.completedIndexes = formatRanges(memory.completed)
      if (job.spec.backoffLimitPerIndex !== undefined) job.status.failedIndexes = formatRanges(memory.failed)
    }
    job.status.conditions = [...finishedCondition(job, end, running.length > 0)]
    if (job.status.conditions.some(({ type }) => type === "Complete")) job.status.completionTime ??= timestamp()
    if (JSON.stringify(job.status) !== before) store.touch(job)
  }
  const expire = (job: ApiJob, now: number): number | undefined => {
    const end = job.status.conditions.find(({ type }) => type === "Complete" || type === "Failed")
    const { ttlSecondsAfterFinished: ttl } = job.spec
    if (end === undefined || ttl === undefined) return undefined
    const at = Date.parse(end.lastTransitionTime) + ttl * 1000
    if (at <= now) {
      for (const pod of store.podsOf(job)) remove(store, kubelet, pod)
      store.forget(job)
    }
    // Timers of more than 24 days overflow.
    return Math.min(Math.max(at, now + 1), now + 86_400_000)
  }
  return {
    sync,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** Begins the deletion of a pod. It is removed when its process has ended. */
function remove(store: ObjectStore, kubelet: Kubelet, pod: ApiPod): void {
  if (pod.metadata.deletionTimestamp === undefined) {
    pod.metadata.deletionTimestamp = timestamp()
    store.touch(pod)
    kubelet.stop(pod, (pod.spec.terminationGracePeriodSeconds ?? 30) * 1000)
  }
  removeDeleted(store, kubelet, [pod])
}

function removeDeleted(store: ObjectStore, kubelet: Kubelet, pods: readonly ApiPod[]): void {
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp === undefined || kubelet.isRunning(pod)) continue
    store.pods.delete(keyOf(pod.metadata.namespace, pod.metadata.name))
  }
}

function countEnd(
  job: ApiJob,
  pod: ApiPod,
  memory: JobMemory,
  { now, backoffMs }: { readonly now: number; readonly backoffMs: number },
): void {
  const { uid } = pod.metadata
  if (!hasEnded(pod) || memory.counted.has(uid)) return
  memory.counted.add(uid)
  const index = indexOf(pod)
  const { action } = podOutcome(job, pod)
  if (action === "Succeeded") memory.completed.add(index)
  if (action === "Succeeded" || action === "Ignore" || memory.hasEnded) return
  const failures = (memory.failures.get(index) ?? 0) + 1
  memory.failures.set(index, failures)
  memory.notBefore.set(index, now + backoffMs * 2 ** (failures - 1))
  if (action === "FailJob") memory.outcome = action
  const limit = job.spec.backoffLimitPerIndex
  if (limit !== undefined && (action === "FailIndex" || failures > limit)) memory.failed.add(index)
}

function createPod(store: ObjectStore, job: ApiJob, index: number): ApiPod {
  const { metadata, spec } = job
  const isIndexed = spec.completionMode === "Indexed"
  const base = isIndexed ? `${metadata.name}-${index}` : metadata.name
  const suffix = [...randomBytes(5)].map((byte) => SUFFIX[byte % SUFFIX.length]).join("")
  const own = isIndexed ? { [INDEX_KEY]: String(index) } : {}
  const labels = {
    ...spec.template.metadata?.labels,
    "batch.kubernetes.io/job-name": metadata.name,
    "batch.kubernetes.io/controller-uid": metadata.uid,
    ...own,
  }
  const annotations = { ...spec.template.metadata?.annotations, ...own }
  const variable = {
    name: "JOB_COMPLETION_INDEX",
    valueFrom: { fieldRef: { fieldPath: `metadata.annotations['${INDEX_KEY}']` } },
  }
  const containers = spec.template.spec.containers.map((container) => ({
    ...container,
    ...(isIndexed ? { env: [...(container.env ?? []), variable] } : {}),
  }))
  // Kubernetes cuts the base, so that the name is at most 63 characters long.
  const own_metadata = store.newMetadata(metadata.namespace, `${base.slice(0, 57)}-${suffix}`, { labels, annotations })
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...own_metadata, ownerReferences: [{ kind: "Job", name: metadata.name, uid: metadata.uid }] },
    spec: { ...spec.template.spec, containers, nodeName: `node-${index % 3}` },
    status: { phase: "Pending", conditions: [], containerStatuses: [] },
  }
}

function hasEnded({ status }: ApiPod): boolean {
  return status.phase === "Succeeded" || status.phase === "Failed"
}

function indexOf({ metadata }: ApiPod): number {
  return Number(metadata.annotations[INDEX_KEY] ?? 0)
}

function deadlineOf({ spec, status }: ApiJob): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || status.startTime === undefined) return undefined
  return Date.parse(status.startTime) + spec.activeDeadlineSeconds * 1000
}
