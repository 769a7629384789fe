import { AssayError, printable } from "@assay/schemas"
import type { Executor, ExecutorPorts, Submission } from "../executor.ts"
import { type ApiClient, createApiClient } from "./api/api-client.ts"
import type { KubernetesProfile } from "./kubernetes-profile.ts"
import { isJobName } from "./job-names.ts"
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
      const { api, name } = await openJob(shardsOf(submission), open)
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
      const { api, name } = await openJob(shardsOf(submission), open)
      yield* readPodLogs(api, name, completion, signal)
    },
  }
}

type OpenApi = () => Promise<ApiClient>

async function cancelJob(id: string, open: OpenApi): Promise<void> {
  const { api, name } = await openJob(parseId(id), open)
  await stopJob(api, name)
}

/** Opens the API for a Job of a submission. @throws `executor_failed` for a Job of another namespace: the file of the submission does not choose one */
async function openJob(
  { namespace, name }: JobId,
  open: OpenApi,
): Promise<{ readonly api: ApiClient; readonly name: string }> {
  const api = await open()
  if (api.namespace === namespace) return { api, name }
  const message = `The run names the Job '${printable(name)}' of the namespace '${printable(namespace)}', and its profile and kubeconfig the namespace '${printable(api.namespace)}': use the kubeconfig with which it was submitted, or delete the Job with kubectl.`
  throw new AssayError("executor_failed", message)
}

/** Returns a function that opens the API of the namespace of the profile or of its context. The kubeconfig is read once. */
function openOnce(profile: KubernetesProfile, ports: ExecutorPorts): OpenApi {
  const read = async () => {
    const { openCluster } = await import("./api/open-cluster.ts")
    return openCluster(ports, { context: profile.context })
  }
  let opening: ReturnType<typeof read> | undefined
  return async () => {
    opening ??= read().catch((error: unknown) => {
      // A kubeconfig that is corrected is read again.
      opening = undefined
      throw error
    })
    const cluster = await opening
    return createApiClient(cluster, profile.namespace ?? cluster.namespace, ports)
  }
}

interface JobId {
  readonly namespace: string
  readonly name: string
}

function shardsOf({ ids }: Submission): JobId {
  return parseId(ids[0] ?? "")
}

/** Parses the id of a Job. Submissions are files that others can write, so only names of this executor are accepted. @throws `executor_failed` */
function parseId(id: string): JobId {
  const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
  const [, namespace, name] = new RegExp(`^(${label})/(${label})$`).exec(id) ?? []
  if (namespace !== undefined && name !== undefined && isJobName(name)) return { namespace, name }
  const message = `'${printable(id.slice(0, 200))}' is not the id of a Job of Assay, such as namespace/assay-mmlu-3f9a0c11d2-1: delete the Jobs of the run with kubectl.`
  throw new AssayError("executor_failed", message)
}
