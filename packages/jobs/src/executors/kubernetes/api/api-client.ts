import type { Static, TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { discardBody, type HttpResponse, readErrorText, readLimited, retryAfter, retryDelay } from "@assay/http"
import { AssayError, isAssayError } from "@assay/schemas"
import type { ExecutorPorts } from "../../executor.ts"
import { noConnection, type Operation, refusal, statusOf } from "./api-errors.ts"
import { JobList, KubernetesJob, type KubernetesPod, PodList } from "./api-objects.ts"
import type { Cluster, ClusterRequest } from "./open-cluster.ts"

/** The few calls of the Kubernetes API that the executor needs, in one namespace. All throw `executor_failed`. */
export interface ApiClient {
  readonly namespace: string
  /** Sends a Job once. An error without a status can mean that it was created. */
  createJob(job: object & { readonly metadata: { readonly name: string } }, signal: AbortSignal): Promise<KubernetesJob>
  /** Undefined if there is none. */
  getJob(name: string, signal: AbortSignal): Promise<KubernetesJob | undefined>
  listJobs(labels: string, signal: AbortSignal): Promise<readonly KubernetesJob[]>
  /** Deletes a Job after its pods have ended. A missing Job is fine. */
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
/** How often a request without an effect is sent. */
const MAX_TRIES = 4
const TIMING = { firstMs: 500, maxMs: 4000, spreadMs: 500 } as const
/** The longest wait that a server may ask for. */
const MAX_WAIT_MS = 30_000

/** Creates a client. Requests that change nothing, and deletions, are repeated if the server is busy or does not respond. */
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
  const again = (request: ClusterRequest, operation: Operation, signal: AbortSignal) =>
    sendAgain(() => sendOnce(cluster, request, operation, signal), sleep, signal)
  const list = <T>(path: string, schema: TSchema, operation: Operation, signal: AbortSignal) =>
    readPages<T>(async (page) => {
      const response = await again({ method: "GET", path: `${path}${page}` }, operation, signal)
      return (await readObject(response, schema, operation)) as Page<T>
    })
  return {
    namespace,
    async createJob(job, signal) {
      const operation = operationOf("create", "jobs", job.metadata.name)
      const response = await sendOnce(cluster, { method: "POST", path: jobs, body: job }, operation, signal)
      return readObject(response, KubernetesJob, operation)
    },
    async getJob(name, signal) {
      const operation = operationOf("get", "jobs", name)
      const path = `${jobs}/${encodeURIComponent(name)}`
      const response = await unlessMissing(again({ method: "GET", path }, operation, signal))
      return response === undefined ? undefined : readObject(response, KubernetesJob, operation)
    },
    listJobs: (labels, signal) =>
      list(`${jobs}?labelSelector=${encodeURIComponent(labels)}`, JobList, operationOf("list", "jobs"), signal),
    async deleteJob(name, signal) {
      const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Foreground" }
      const request = { method: "DELETE", path: `${jobs}/${encodeURIComponent(name)}`, body } as const
      const response = await unlessMissing(again(request, operationOf("delete", "jobs", name), signal))
      if (response !== undefined) await discardBody(response.body)
    },
    listPods({ labels, fields }, signal) {
      const selectors = `labelSelector=${encodeURIComponent(labels)}`
      const more = fields === undefined ? "" : `&fieldSelector=${encodeURIComponent(fields)}`
      return list(`${pods}?${selectors}${more}`, PodList, operationOf("list", "pods"), signal)
    },
    async readLog(pod, { container, lines, bytes }, signal) {
      // `limitBytes` would cut the end off, which matters most.
      const query = `container=${container}&tailLines=${lines}`
      const path = `${pods}/${encodeURIComponent(pod)}/log?${query}`
      const request = again({ method: "GET", path }, operationOf("get", "pods/log", pod), signal)
      // 400: its container waits to start.
      const response = await unlessMissing(request, [404, 400])
      return response === undefined ? undefined : readEnd(response.body, bytes)
    },
  }
}

/** Sends a request that has no effect, or the same one each time, until the server responds. */
async function sendAgain(
  send: () => Promise<HttpResponse>,
  sleep: ExecutorPorts["sleep"],
  signal: AbortSignal,
): Promise<HttpResponse> {
  for (let tries = 0; ; tries++) {
    try {
      return await send()
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

/** Reads the last bytes of a text. Stops at `MAX_ANSWER` bytes, and keeps at most twice as many as are returned in memory. */
async function readEnd(body: AsyncIterable<Uint8Array>, bytes: number): Promise<string> {
  let end = Buffer.alloc(0)
  let read = 0
  for await (const piece of body) {
    end = Buffer.concat([end, piece])
    if (end.length > 2 * bytes) end = end.subarray(-bytes)
    read += piece.length
    if (read > MAX_ANSWER) break
  }
  return end.subarray(-bytes).toString()
}

interface Page<T> {
  readonly metadata?: { readonly continue?: string }
  readonly items: readonly T[] | null
}

async function sendOnce(
  cluster: Cluster,
  request: ClusterRequest,
  operation: Operation,
  signal: AbortSignal,
): Promise<HttpResponse> {
  let response: HttpResponse
  try {
    response = await cluster.send(request, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AssayError) throw error
    throw noConnection(operation, error)
  }
  if (response.status < 300) return response
  const wait = retryAfter(response.headers)
  const { message, context } = refusal(operation, response.status, await readErrorText(response.body))
  throw new AssayError("executor_failed", message, {
    context: { ...context, ...(wait === undefined ? {} : { waitMs: Math.min(wait, MAX_WAIT_MS) }) },
  })
}

/** Returns whether a failed request may succeed later. */
export function isTransient(error: AssayError): boolean {
  const status = statusOf(error)
  if (status !== undefined) return status === 429 || status >= 500
  // An error of the connection. Others, such as missing credentials, name no operation.
  return error.context["operation"] !== undefined && error.context["isBroken"] !== true
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

async function readObject<T extends TSchema>(
  response: HttpResponse,
  schema: T,
  operation: Operation,
): Promise<Static<T>> {
  let value: unknown
  try {
    const { bytes, isTruncated } = await readLimited(response.body, MAX_ANSWER)
    value = isTruncated ? undefined : JSON.parse(Buffer.from(bytes).toString())
  } catch (error) {
    // A body that breaks off is an error of the connection.
    if (!(error instanceof SyntaxError)) throw noConnection(operation, error)
  }
  if (Value.Check(schema, value)) return value
  const message = `${operation.server} did not answer as an API server of Kubernetes does: check the server of the kubeconfig.`
  throw new AssayError("executor_failed", message, { context: { operation: operation.resource, isBroken: true } })
}
