import { AssayError, printable } from "@assay/schemas"
import type { Executor, ExecutorPorts, Submission } from "../executor.ts"
import { type ApiClient, createApiClient } from "./api/api-client.ts"
import type { KubernetesProfile } from "./kubernetes-profile.ts"
import { readPodLogs } from "./read-pod-logs.ts"
import { renderManifests } from "./render-manifests.ts"
import { JOB_LABEL, shardStates } from "./shard-states.ts"
import { stopJob } from "./stop-job.ts"
import { submitJobs } from "./submit-jobs.ts"

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
      const { names, ...given } = await submitJobs(api, { profile, work, sleep }, signal)
      return { ids: names.map((name) => `${api.namespace}/${name}`), ...given }
    },
    async look(submission, signal) {
      const { namespace, name } = shardsOf(submission)
      const api = await open(namespace)
      const job = await api.getJob(name, signal)
      // The counts of the Job know the indexes that succeeded, so only the other pods are read.
      const selectors = { labels: `${JOB_LABEL}=${name}`, fields: "status.phase!=Succeeded" }
      return shardStates(job, await api.listPods(selectors, signal), submission.indexes)
    },
    async cancel(submission) {
      const failures: unknown[] = []
      // The merge first: it waits for the shards.
      for (const id of submission.ids.toReversed()) {
        await cancelJob(id, open).catch((error: unknown) => failures.push(error))
      }
      if (failures.length > 0) throw failures[0]
    },
    async *logs(submission, index, signal) {
      const completion = submission.indexes.indexOf(index)
      if (completion < 0) return
      const { namespace, name } = shardsOf(submission)
      yield* readPodLogs(await open(namespace), name, completion, signal)
    },
  }
}

async function cancelJob(id: string, open: (namespace: string) => Promise<ApiClient>): Promise<void> {
  const { namespace, name } = parseId(id)
  await stopJob(await open(namespace), name)
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
