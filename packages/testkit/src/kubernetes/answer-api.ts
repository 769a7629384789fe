import { refuse, type StatusAnswer, statusBody } from "./api-status.ts"
import type { ApiJob, ApiMetadata, ApiPod, JobSpec } from "./kubernetes-objects.ts"
import { isVisible, keyOf, type ObjectStore } from "./object-store.ts"
import type { Kubelet } from "./pod-processes.ts"
import { labelSelector, podFieldSelector } from "./selectors.ts"
import { type CandidateJob, validateJob } from "./validate-job.ts"

/** A request of the API, after it was authenticated. */
export interface ApiRequest {
  readonly verb: "create" | "get" | "list" | "delete"
  readonly resource: "jobs" | "pods" | "pods/log"
  readonly group: "batch" | ""
  readonly namespace: string
  readonly name: string | undefined
  readonly query: URLSearchParams
  readonly body: Buffer
}

export interface ApiAnswer {
  readonly code: number
  /** An object is sent as JSON, a text as it is. */
  readonly body: object | string
}

export interface ApiState {
  readonly store: ObjectStore
  readonly kubelet: Kubelet
  readonly namespaces: ReadonlySet<string>
  /** A Job or pod was changed. */
  readonly onChange: () => void
}

const PATH = /^\/(?:apis\/batch\/v1|api\/v1)\/namespaces\/([^/]+)\/(jobs|pods)(?:\/([^/]+)(\/log)?)?$/

/** Parses a request. Undefined for a path or method that this server does not know. */
export function parseApiRequest(method: string, url: string, body: Buffer): ApiRequest | undefined {
  const { pathname, searchParams: query } = new URL(url, "http://cluster")
  const [, namespace, kind, name, log] = PATH.exec(pathname) ?? []
  const isBatch = pathname.startsWith("/apis/batch/")
  if (namespace === undefined || isBatch !== (kind === "jobs") || (log !== undefined && isBatch)) return undefined
  const verb =
    method === "GET"
      ? name === undefined
        ? "list"
        : "get"
      : method === "POST"
        ? "create"
        : method === "DELETE"
          ? "delete"
          : undefined
  if (verb === undefined || (verb === "create") !== (name === undefined && method === "POST")) return undefined
  const resource = kind === "jobs" ? "jobs" : log === undefined ? "pods" : "pods/log"
  return {
    verb,
    resource,
    group: isBatch ? "batch" : "",
    namespace: decodeURIComponent(namespace),
    name: name === undefined ? undefined : decodeURIComponent(name),
    query,
    body,
  }
}

/** Answers a request as a real API server does. */
export function answerApi(request: ApiRequest, state: ApiState): ApiAnswer {
  const { verb, resource, namespace, name = "" } = request
  const { store } = state
  if (verb === "list") return listObjects(request, state)
  if (verb === "create") return resource === "jobs" ? createJob(request, state) : refused(refuse.method())
  const object = (resource === "jobs" ? store.jobs : store.pods).get(keyOf(namespace, name))
  if (object === undefined) return refused(refuse.missing(resource === "jobs" ? "jobs" : "pods", request.group, name))
  if (verb === "delete")
    return resource === "jobs"
      ? deleteJob(object as ApiJob, request, state)
      : deletePod(object as ApiPod, request, state)
  return resource === "pods/log" ? readLog(object as ApiPod, request, state) : { code: 200, body: object }
}

function refused(answer: StatusAnswer): ApiAnswer {
  return { code: answer.code, body: statusBody(answer) }
}

function createJob({ namespace, body }: ApiRequest, { store, namespaces, onChange }: ApiState): ApiAnswer {
  let given: CandidateJob & { readonly apiVersion?: string; readonly kind?: string }
  try {
    given = JSON.parse(body.toString())
  } catch (error) {
    return refused(refuse.bad(`error decoding: ${(error as Error).message}`))
  }
  if (given.apiVersion !== "batch/v1" || given.kind !== "Job") {
    return refused(refuse.bad(`Object 'Kind' is missing or is not Job of batch/v1`))
  }
  const inBody = (given.metadata as { readonly namespace?: string }).namespace
  if (inBody !== undefined && inBody !== namespace) {
    return refused(refuse.bad("the namespace of the provided object does not match the namespace sent on the request"))
  }
  if (!namespaces.has(namespace)) return refused(refuse.missing("namespaces", "", namespace))
  const causes = validateJob(given)
  const { name } = given.metadata
  if (causes.length > 0) return refused(refuse.invalid("Job", "batch", name, causes))
  const key = keyOf(namespace, name)
  if (store.jobs.has(key)) return refused(refuse.exists("jobs", "batch", name))
  const { labels = {}, annotations = {} } = given.metadata
  const job: ApiJob = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: store.newMetadata(namespace, name, { labels, annotations }),
    spec: withDefaults(given.spec),
    status: { active: 0, ready: 0, succeeded: 0, failed: 0, terminating: 0, conditions: [] },
  }
  store.jobs.set(key, job)
  onChange()
  return { code: 201, body: job }
}

function withDefaults(spec: JobSpec): JobSpec {
  const policy = spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed"
  const backoffLimit = spec.backoffLimitPerIndex === undefined ? 6 : 2_147_483_647
  return {
    parallelism: 1,
    completions: 1,
    completionMode: "NonIndexed",
    backoffLimit,
    suspend: false,
    podReplacementPolicy: policy,
    ...spec,
  }
}

function listObjects({ resource, group, namespace, query }: ApiRequest, { store }: ApiState): ApiAnswer {
  let isLabelled: ReturnType<typeof labelSelector>
  let hasFields: ReturnType<typeof podFieldSelector>
  try {
    isLabelled = labelSelector(query.get("labelSelector") ?? "")
    hasFields = podFieldSelector(query.get("fieldSelector") ?? "")
  } catch (error) {
    return refused(refuse.bad((error as Error).message))
  }
  const all: { readonly metadata: ApiMetadata }[] =
    resource === "jobs"
      ? [...store.jobs].filter(([key]) => isVisible(key)).map(([, job]) => job)
      : [...store.pods.values()].filter(hasFields)
  const found = all
    .filter(({ metadata }) => metadata.namespace === namespace && isLabelled(metadata.labels))
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  const first = Number(Buffer.from(query.get("continue") ?? "", "base64").toString() || 0)
  const limit = Number(query.get("limit") ?? 0) || found.length
  const items = found.slice(first, first + limit)
  const left = found.length - first - items.length
  const more =
    left > 0 ? { continue: Buffer.from(String(first + limit)).toString("base64"), remainingItemCount: left } : {}
  return {
    code: 200,
    body: {
      kind: resource === "jobs" ? "JobList" : "PodList",
      apiVersion: group === "batch" ? "batch/v1" : "v1",
      metadata: { resourceVersion: store.version(), ...more },
      items,
    },
  }
}

function deleteJob(job: ApiJob, { query, body }: ApiRequest, { store, onChange }: ApiState): ApiAnswer {
  const policy = query.get("propagationPolicy") ?? optionsOf(body).propagationPolicy ?? "Orphan"
  const { metadata } = job
  metadata.deletionTimestamp ??= new Date().toISOString()
  if (policy === "Foreground") metadata.finalizers = ["foregroundDeletion"]
  else if (policy === "Background") store.hide(job)
  else store.forget(job)
  store.touch(job)
  onChange()
  return {
    code: 200,
    body: policy === "Foreground" ? job : { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" },
  }
}

function deletePod(pod: ApiPod, { query, body }: ApiRequest, { store, kubelet, onChange }: ApiState): ApiAnswer {
  const grace = Number(
    query.get("gracePeriodSeconds") ??
      optionsOf(body).gracePeriodSeconds ??
      pod.spec.terminationGracePeriodSeconds ??
      30,
  )
  pod.metadata.deletionTimestamp ??= new Date().toISOString()
  store.touch(pod)
  kubelet.stop(pod, grace * 1000)
  onChange()
  return { code: 200, body: pod }
}

function optionsOf(body: Buffer): { readonly propagationPolicy?: string; readonly gracePeriodSeconds?: number } {
  if (body.length === 0) return {}
  return JSON.parse(body.toString()) as { readonly propagationPolicy?: string }
}

function readLog(pod: ApiPod, { query }: ApiRequest, { kubelet }: ApiState): ApiAnswer {
  const { name } = pod.metadata
  const container = query.get("container") ?? pod.spec.containers[0]?.name ?? ""
  if (!pod.spec.containers.some((one) => one.name === container)) {
    return refused(refuse.bad(`container ${container} is not valid for pod ${name}`))
  }
  const text = kubelet.log(pod)
  if (text === undefined) {
    const waiting = pod.status.containerStatuses[0]?.state.waiting
    const why =
      waiting?.reason === "ImagePullBackOff"
        ? "trying and failing to pull image"
        : (waiting?.reason ?? "ContainerCreating")
    return refused(refuse.bad(`container "${container}" in pod "${name}" is waiting to start: ${why}`))
  }
  const tail = query.get("tailLines")
  const lines = text.split(/(?<=\n)/)
  const last = tail === null ? text : lines.slice(Math.max(0, lines.length - Number(tail))).join("")
  const limit = Number(query.get("limitBytes") ?? 0) || Infinity
  return { code: 200, body: Buffer.from(last).subarray(0, limit).toString() }
}
