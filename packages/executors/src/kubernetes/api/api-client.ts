import type { Static, TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { type Body, discardBody, readErrorText, readLimited, retryAfter, retryDelay } from "@assay/http"
import { AssayError, isAssayError } from "@assay/schemas"
import type { ExecutorPorts } from "../../executor.ts"
import { noConnection, type Operation, refusal, statusOf } from "./api-errors.ts"
import { JobList, KubernetesJob, type KubernetesPod, PodList } from "./api-objects.ts"
import type { Cluster, ClusterRequest } from "./open-cluster.ts"
import { readEnd } from "./read-end.ts"

/**
 * The few calls of the Kubernetes API that the executor needs, in one namespace. All are repeated if the server is busy or does not respond, and throw
 * `executor_failed`, or the reason of the signal.
 */
export interface ApiClient {
  readonly namespace: string
  /** An error can mean that it was created, because an answer was lost before. */
  createJob(job: object & { readonly metadata: { readonly name: string } }, signal: AbortSignal): Promise<void>
  /** Undefined if there is none. */
  getJob(name: string, signal: AbortSignal): Promise<KubernetesJob | undefined>
  listJobs(labels: string, signal: AbortSignal): Promise<readonly KubernetesJob[]>
  /** Stops the pods of a Job. It is deleted when they have ended. A missing Job is fine. */
  deleteJob(name: string, signal: AbortSignal): Promise<void>
  listPods(selectors: PodSelectors, signal: AbortSignal): Promise<readonly KubernetesPod[]>
  /** Reads the end of the log of a pod. Undefined if it has none (yet). */
  readLog(pod: string, limits: LogLimits, signal: AbortSignal): Promise<string | undefined>
}

export interface PodSelectors {
  readonly labels: string
  readonly fields?: string
}

export interface LogLimits {
  readonly container: string
  readonly lines: number
  readonly bytes: number
}

/** Objects of one page of a list. */
const PAGE = 250
/** Pages that are read. A run has at most 100,000 shards. */
const MAX_PAGES = 600
/** Bytes of the largest answer that is read: a page of pods has 2 MB. */
const MAX_ANSWER = 64 * 1024 * 1024
/** How often a request is sent. */
const MAX_TRIES = 5
const TIMING = { firstMs: 500, maxMs: 4000, spreadMs: 500 } as const
/** The longest wait that a server may ask for. */
const MAX_WAIT_MS = 30_000

export function createApiClient(
  cluster: Cluster,
  namespace: string,
  { sleep }: Pick<ExecutorPorts, "sleep">,
): ApiClient {
  const jobs = `/apis/batch/v1/namespaces/${encodeURIComponent(namespace)}/jobs`
  const pods = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`
  const operationOf = (verb: Operation["verb"], resource: Operation["resource"], name?: string): Operation => ({
    verb,
    resource,
    namespace,
    name,
    server: cluster.server,
  })
  const send = <T>(call: Call<T>, signal: AbortSignal) => sendAgain(cluster, call, { sleep, signal })
  const list = <T>(path: string, schema: TSchema, operation: Operation, signal: AbortSignal) =>
    readPages<T>((page) => {
      const read = async (body: Body) => (await readObject(body, schema, operation)) as Page<T>
      return send({ method: "GET", path: `${path}${page}`, operation, read }, signal)
    })
  return {
    namespace,
    createJob(job, signal) {
      const operation = operationOf("create", "jobs", job.metadata.name)
      return send({ method: "POST", path: jobs, body: job, operation, read: discardBody }, signal)
    },
    getJob(name, signal) {
      const operation = operationOf("get", "jobs", name)
      const read = (body: Body) => readObject(body, KubernetesJob, operation)
      return unlessMissing(
        send({ method: "GET", path: `${jobs}/${encodeURIComponent(name)}`, operation, read }, signal),
      )
    },
    listJobs: (labels, signal) =>
      list(`${jobs}?labelSelector=${encodeURIComponent(labels)}`, JobList, operationOf("list", "jobs"), signal),
    deleteJob(name, signal) {
      const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Foreground" }
      const path = `${jobs}/${encodeURIComponent(name)}`
      const operation = operationOf("delete", "jobs", name)
      return unlessMissing(send({ method: "DELETE", path, body, operation, read: discardBody }, signal))
    },
    listPods({ labels, fields }, signal) {
      const selectors = `labelSelector=${encodeURIComponent(labels)}`
      const more = fields === undefined ? "" : `&fieldSelector=${encodeURIComponent(fields)}`
      return list(`${pods}?${selectors}${more}`, PodList, operationOf("list", "pods"), signal)
    },
    readLog(pod, { container, lines, bytes }, signal) {
      // `limitBytes` would cut the end off, which matters most.
      const path = `${pods}/${encodeURIComponent(pod)}/log?container=${container}&tailLines=${lines}`
      const read = (body: Body) => readEnd(body, { bytes, limit: MAX_ANSWER })
      // 400: its container waits to start.
      return unlessMissing(
        send({ method: "GET", path, operation: operationOf("get", "pods/log", pod), read }, signal),
        [404, 400],
      )
    },
  }
}

/** A request, and what reads its answer. */
interface Call<T> extends ClusterRequest {
  readonly operation: Operation
  readonly read: (body: Body) => Promise<T>
}

/** Sends a request until the server responds with a whole answer. */
async function sendAgain<T>(
  cluster: Cluster,
  call: Call<T>,
  { sleep, signal }: Pick<ExecutorPorts, "sleep"> & { readonly signal: AbortSignal },
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await sendOnce(cluster, call, signal)
    } catch (error) {
      if (!isAssayError(error) || !isTransient(error) || tries + 1 >= MAX_TRIES) throw error
      // Followers are not in step, so the wait needs no jitter.
      await sleep(retryDelay(tries, { ...TIMING, random: () => 1 }, waitOf(error)), signal)
    }
  }
}

async function readPages<T>(read: (page: string) => Promise<Page<T>>): Promise<readonly T[]> {
  const found: T[] = []
  let next = ""
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, metadata } = await read(`&limit=${PAGE}${next}`)
    found.push(...(items ?? []))
    const token = metadata?.continue ?? ""
    if (token === "") break
    next = `&continue=${encodeURIComponent(token)}`
  }
  return found
}

interface Page<T> {
  readonly metadata?: { readonly continue?: string }
  readonly items: readonly T[] | null
}

async function sendOnce<T>(
  cluster: Cluster,
  { operation, read, ...request }: Call<T>,
  signal: AbortSignal,
): Promise<T> {
  try {
    const { status, headers, body } = await cluster.send(request, signal)
    if (status < 300) return await read(body)
    const wait = retryAfter(headers)
    const { message, context } = refusal(operation, status, await readErrorText(body))
    throw new AssayError("executor_failed", message, {
      context: { ...context, ...(wait === undefined ? {} : { waitMs: Math.min(wait, MAX_WAIT_MS) }) },
    })
  } catch (error) {
    signal.throwIfAborted()
    // Others are errors of the connection, such as a body that breaks off.
    throw isAssayError(error) ? error : noConnection(operation, error)
  }
}

/** Returns whether a failed request may succeed later. */
function isTransient(error: AssayError): boolean {
  const status = statusOf(error)
  if (status !== undefined) return status === 429 || status >= 500
  // An error of the connection, or an answer of something in between. Others, such as missing credentials, name no operation.
  return error.context["operation"] !== undefined
}

function waitOf({ context }: AssayError): number | undefined {
  return typeof context["waitMs"] === "number" ? context["waitMs"] : undefined
}

async function unlessMissing<T>(request: Promise<T>, statuses: readonly number[] = [404]): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (statuses.includes(statusOf(error) ?? 0)) return undefined
    throw error
  }
}

async function readObject<T extends TSchema>(body: Body, schema: T, operation: Operation): Promise<Static<T>> {
  const { bytes, isTruncated } = await readLimited(body, MAX_ANSWER)
  const value = isTruncated ? undefined : parseJson(Buffer.from(bytes).toString())
  if (Value.Check(schema, value)) return value
  const message = `${operation.server} did not answer as an API server of Kubernetes does: check the server of the kubeconfig.`
  throw new AssayError("executor_failed", message, { context: { operation: operation.resource } })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
