import { AssayError, printable } from "@assay/schemas"
import type { Executor, ExecutorPorts, Submission } from "../executor.ts"
import { type ApiClient, createApiClient } from "./api/api-client.ts"
import { submittedIndexes } from "./job-manifests.ts"
import type { KubernetesProfile } from "./kubernetes-profile.ts"
import { readPodLogs } from "./read-pod-logs.ts"
import { renderManifests } from "./render-manifests.ts"
import { JOB_LABEL, shardStates } from "./shard-states.ts"
import { submitJobs } from "./submit-jobs.ts"

/** Milliseconds until a cancellation gives up. */
const CANCEL_MS = 60_000

/**
 * Creates an executor that runs the shards of a run as one Indexed Job of Kubernetes, 1.29 or later, and the merge as a Job beside it. Kubernetes
 * starts pods again that were lost or have failed. The ids of a submission are `namespace/name`. The kubeconfig is read at the first request.
 */
export function createKubernetesExecutor(profile: KubernetesProfile, ports: ExecutorPorts): Executor {
  const { sleep } = ports
  const open = openOnce(profile, ports)
  return {
    render: (work) => renderManifests(profile, work),
    async submit(work, signal) {
      const api = await open()
      const names = await submitJobs(api, { profile, work, sleep }, signal)
      const ids = names.map((name) => `${api.namespace}/${name}`)
      return { executor: "kubernetes", ids, indexes: submittedIndexes(work), merges: work.merges }
    },
    async look(submission, signal) {
      const { namespace, name } = shardsOf(submission)
      const api = await open(namespace)
      const job = await api.getJob(name, signal)
      // The counts of the Job know the indexes that succeeded, so only the other pods are read.
      const selectors = { labels: `${JOB_LABEL}=${name}`, fields: "status.phase!=Succeeded" }
      const pods = job === undefined ? [] : await api.listPods(selectors, signal)
      return shardStates(job, pods, submission.indexes)
    },
    async cancel(submission) {
      const signal = AbortSignal.timeout(CANCEL_MS)
      // The merge first: it would submit or wait for shards.
      for (const id of submission.ids.toReversed()) {
        const { namespace, name } = parseId(id)
        const api = await open(namespace)
        await api.deleteJob(name, signal)
      }
    },
    async *logs(submission, index, signal) {
      const completion = submission.indexes.indexOf(index)
      if (completion < 0) return
      const { namespace, name } = shardsOf(submission)
      yield* readPodLogs(await open(namespace), name, completion, signal)
    },
  }
}

/** Returns a function that opens the API of a namespace, by default that of the profile or its context. The kubeconfig is read once. */
function openOnce(profile: KubernetesProfile, ports: ExecutorPorts): (namespace?: string) => Promise<ApiClient> {
  const read = async () => {
    const { openCluster } = await import("./api/open-cluster.ts")
    return openCluster(ports, { context: profile.context })
  }
  let opening: ReturnType<typeof read> | undefined
  return async (namespace) => {
    opening ??= read().catch((error: unknown) => {
      // A kubeconfig that is corrected is read again.
      opening = undefined
      throw error
    })
    const cluster = await opening
    return createApiClient(cluster, namespace ?? profile.namespace ?? cluster.namespace, ports)
  }
}

function shardsOf({ ids }: Submission): { readonly namespace: string; readonly name: string } {
  return parseId(ids[0] ?? "")
}

/** Parses the id of a Job. Submissions are files that others can write. @throws `executor_failed` */
function parseId(id: string): { readonly namespace: string; readonly name: string } {
  const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
  const [, namespace, name] = new RegExp(`^(${label})/(${label})$`).exec(id) ?? []
  if (namespace !== undefined && name !== undefined) return { namespace, name }
  throw new AssayError("executor_failed", `'${printable(id.slice(0, 200))}' is not the id of a Job: namespace/name.`)
}
