import { AssayError, printable } from "@assay/schemas"
import { formatIndexList } from "../run/index-list.ts"
import type { ShardWork } from "../executor.ts"
import { mergeCommand, shardCommand } from "../shard-command.ts"
import { digestOf, jobBaseName, labelValue, mergeJobName, shardsJobName } from "./job-names.ts"
import type { KubernetesProfile } from "./kubernetes-profile.ts"
import { CONTAINER, podTemplate } from "./pod-template.ts"

/** A Job as it is sent. */
export interface JobManifest {
  readonly apiVersion: "batch/v1"
  readonly kind: "Job"
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels: Readonly<Record<string, string>>
    readonly annotations: Readonly<Record<string, string>>
  }
  readonly spec: object
}

/** Annotations of our Jobs. */
export const ANNOTATIONS = Object.freeze({
  run: "assay/run",
  /** The shards, in the order of the completion indexes. */
  indexes: "assay/indexes",
  /** Digest of what a pod of the Job does, except for its shard: two Jobs with the same one differ in their shards. */
  work: "assay/work",
})

/** Characters of one argument. Linux allows 131,071 bytes. */
const MAX_LIST = 100_000

/** Returns the selector of all Jobs of a run. */
export function runSelector({ id }: Pick<ShardWork, "id">): string {
  return `app.kubernetes.io/name=assay,app.kubernetes.io/instance=${labelValue(id)}`
}

export interface ManifestOptions {
  readonly namespace?: string | undefined
  /** Number of the submission of the run, from 1. */
  readonly number: number
}

/** Returns the indexes that a submission runs: those of the work, or all up to the last one if their list is too long for a command. Shards that are done end at once. */
export function submittedIndexes({ indexes }: Pick<ShardWork, "indexes">): readonly number[] {
  const last = indexes.at(-1)
  if (last === undefined) throw new AssayError("executor_failed", "There are no shards to submit.")
  return formatIndexList(indexes).length <= MAX_LIST ? indexes : Array.from({ length: last + 1 }, (_, index) => index)
}

/** Returns the Job that runs shards, one in each completion index. @throws `executor_failed` if no volume of the profile has the run */
export function shardsJob(profile: KubernetesProfile, work: ShardWork, options: ManifestOptions): JobManifest {
  checkRunIsMounted(profile, work)
  const indexes = submittedIndexes(work)
  const isWhole = indexes.every((index, at) => index === at)
  // The list is an argument, and Kubernetes sets JOB_COMPLETION_INDEX: no shell has to compute anything.
  const given = isWhole ? work : { ...work, options: ["--indexes", formatIndexList(indexes), ...work.options] }
  const { pod_retries = 3, max_failed_shards, deadline_seconds } = profile
  return jobManifest(profile, work, {
    ...options,
    component: "shard",
    name: shardsJobName(jobBaseName(work), options.number),
    annotations: { [ANNOTATIONS.indexes]: formatIndexList(indexes) },
    words: shardCommand(given),
    spec: {
      completionMode: "Indexed",
      completions: indexes.length,
      parallelism: Math.max(1, Math.min(work.atOnce, indexes.length)),
      backoffLimitPerIndex: pod_retries,
      ...(max_failed_shards === undefined ? {} : { maxFailedIndexes: Math.min(max_failed_shards, indexes.length) }),
      ...(deadline_seconds === undefined ? {} : { activeDeadlineSeconds: deadline_seconds }),
      // One process of a shard at a time: the next one starts when the last one has ended.
      podReplacementPolicy: "Failed",
      podFailurePolicy: { rules: [IGNORE_DISRUPTIONS, onCodes("Ignore", STOPPED)] },
    },
  })
}

/** Returns the Job that waits for the shards and merges their rows. */
export function mergeJob(profile: KubernetesProfile, work: ShardWork, options: ManifestOptions): JobManifest {
  const { merge_wait_minutes = 60 } = profile
  return jobManifest(profile, work, {
    ...options,
    component: "merge",
    name: mergeJobName(jobBaseName(work), options.number),
    annotations: {},
    words: mergeCommand(work, { waitMinutes: merge_wait_minutes }),
    spec: {
      backoffLimit: 3,
      podReplacementPolicy: "Failed",
      // The exit codes 1 and 3 are a result: a gate failed, or can't be decided.
      podFailurePolicy: { rules: [IGNORE_DISRUPTIONS, onCodes("Ignore", STOPPED), onCodes("FailJob", [1, 3])] },
    },
  })
}

/** A drained node, a preemption or an eviction says nothing about the shard. */
const IGNORE_DISRUPTIONS = Object.freeze({
  action: "Ignore",
  onPodConditions: [{ type: "DisruptionTarget", status: "True" }],
})

/**
 * The exit codes of a process that SIGTERM has stopped, ours and that of a program without a handler. Kueue suspends a Job to start one of a higher
 * priority, and its pods are not targets of a disruption then.
 */
const STOPPED = [130, 143]

function onCodes(action: "Ignore" | "FailJob", values: readonly number[]): object {
  return { action, onExitCodes: { containerName: CONTAINER, operator: "In", values } }
}

interface JobParts extends ManifestOptions {
  readonly component: "shard" | "merge"
  readonly name: string
  readonly annotations: Readonly<Record<string, string>>
  readonly words: readonly string[]
  readonly spec: object
}

function jobManifest(profile: KubernetesProfile, work: ShardWork, parts: JobParts): JobManifest {
  const { queue, ttl_seconds = 86_400 } = profile
  const labels = {
    ...profile.labels,
    "app.kubernetes.io/name": "assay",
    "app.kubernetes.io/component": parts.component,
    "app.kubernetes.io/instance": labelValue(work.id),
  }
  const annotations = { ...profile.annotations, [ANNOTATIONS.run]: work.run, ...parts.annotations }
  const spec = {
    ...parts.spec,
    ttlSecondsAfterFinished: ttl_seconds,
    ...(queue === undefined ? {} : { suspend: true }),
    template: podTemplate(profile, { words: parts.words, hasProgram: work.program.length > 0, labels }),
  }
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: parts.name,
      ...(parts.namespace === undefined ? {} : { namespace: parts.namespace }),
      labels: queue === undefined ? labels : { ...labels, "kueue.x-k8s.io/queue-name": queue },
      annotations: {
        ...annotations,
        [ANNOTATIONS.work]: digestOf(JSON.stringify([parts.component, profile, work.run, work.program, work.options])),
      },
    },
    spec,
  }
}

/** @throws `executor_failed` if a run in a folder is not below a volume: each pod would see a folder of its own */
function checkRunIsMounted({ volumes = [] }: KubernetesProfile, { run }: ShardWork): void {
  if (/^[\w+.-]+:\/\//.test(run)) return
  const isBelow = ({ path }: { readonly path: string }) => `${run}/`.startsWith(`${path.replace(/\/+$/, "")}/`)
  if (volumes.some((volume) => volume.read_only !== true && isBelow(volume))) return
  const paths = volumes.map(({ path }) => `'${printable(path)}'`).join(", ")
  const message = `The run '${printable(run)}' is in no writable volume of the profile${paths === "" ? "" : ` (${paths})`}: mount its claim there with \`volumes\`, or cut the job into a bucket.`
  throw new AssayError("executor_failed", message)
}
