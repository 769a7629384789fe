import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createHttpsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { createFaults, type Faults } from "../planned-faults.ts"
import type { ServerCertificate } from "../inference/certificates/create-test-certificates.ts"
import { answerApi, type ApiAnswer, type ApiRequest, type ApiState, parseApiRequest } from "./answer-api.ts"
import { refuse, type StatusAnswer, statusBody } from "./api-status.ts"
import { discoveryOf } from "./discovery.ts"
import { createJobController } from "./job-controller.ts"
import type { ApiJob, ApiPod } from "./kubernetes-objects.ts"
import { createObjectStore, isVisible, keyOf } from "./object-store.ts"
import { createKubelet, markDisrupted } from "./pod-processes.ts"

/** A fault of one request. */
export type KubernetesFault =
  /** Answers with a `Status` instead of doing anything. */
  | { readonly kind: "status"; readonly status: "busy" | "unavailable" }
  /** Closes the connection before anything is done. */
  | { readonly kind: "hang-up" }
  /** Does what is asked, and closes the connection before the answer. */
  | { readonly kind: "lose-answer" }
  /** Does what is asked, and closes the connection in the middle of the answer. */
  | { readonly kind: "cut" }
  /** Answers with a page, as a proxy in between does. */
  | { readonly kind: "page"; readonly code: number }

export interface FakeKubernetesOptions {
  /** The bearer token that clients must send. */
  readonly token: string
  /** Serves TLS. Default: plain HTTP. */
  readonly certificate?: ServerCertificate
  /** Default: `evaluations`. */
  readonly namespaces?: readonly string[]
  /** Images that can be pulled. */
  readonly images: readonly string[]
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly configMaps?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Claims by their names, with the folder of this machine. A pod must mount them at the path of that folder. */
  readonly claims?: Readonly<Record<string, string>>
  /** Working folder of the processes. */
  readonly folder: string
  /** Variables that each process has, such as `PATH`. Nothing else of this process reaches them. */
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds before the pod after a failed one. Default 50. Kubernetes waits 10 s. */
  readonly backoffMs?: number
}

/** An API server of Kubernetes for Jobs and pods, with a Job controller, and one node that runs pods as processes of this machine. */
export interface FakeKubernetes {
  readonly url: string
  /** The requests in their order, with the object that was sent. */
  readonly requests: readonly (Pick<ApiRequest, "verb" | "resource" | "namespace" | "name"> & {
    readonly sent: unknown
  })[]
  readonly faults: Faults<KubernetesFault, ApiRequest>
  /** Connections that were opened. */
  connections(): number
  jobs(): readonly ApiJob[]
  pods(): readonly ApiPod[]
  /** Takes a right away, such as `create` on `jobs`. */
  forbid(verb: ApiRequest["verb"], resource: ApiRequest["resource"]): void
  /** Closes all connections, and refuses new requests, until it is called with false. Pods and Jobs go on. */
  setAway(isAway: boolean): void
  /** Ends the suspension of a Job, as Kueue does when it admits it, or suspends it, as Kueue does for one of a higher priority. */
  setSuspended(job: string, isSuspended: boolean): void
  /**
   * Kills the process of a pod with SIGKILL. `crash`: its container was killed, such as for too much memory. `eviction`: the node was drained, so
   * the pod is a target of a disruption.
   */
  kill(pod: string, how: "crash" | "eviction"): void
  close(): Promise<void>
}

/** Starts it on a free port of 127.0.0.1. */
export async function startFakeKubernetes(options: FakeKubernetesOptions): Promise<FakeKubernetes> {
  const { token, certificate, namespaces = ["evaluations"], images, secrets = {}, configMaps = {} } = options
  const { claims = {}, folder, env, backoffMs = 50 } = options
  const store = createObjectStore()
  const changed = (): void => void setImmediate(() => controller.sync())
  const kubelet = createKubelet(store, {
    images: new Set(images),
    secrets,
    configMaps,
    claims,
    folder,
    env,
    onChange: changed,
  })
  const controller = createJobController(store, kubelet, { backoffMs })
  const state: ApiState = { store, kubelet, namespaces: new Set(namespaces), onChange: changed }
  const faults = createFaults<KubernetesFault, ApiRequest>()
  const requests: FakeKubernetes["requests"][number][] = []
  const forbidden = new Set<string>()
  let isAway = false

  async function answer(raw: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isAway) return void raw.socket.destroy()
    const pieces: Buffer[] = []
    for await (const piece of raw) pieces.push(piece as Buffer)
    if (raw.headers.authorization !== `Bearer ${token}`) return send(response, refusal(refuse.unauthorized()))
    const about = discoveryOf((raw.url ?? "").replace(/\?.*/, ""))
    if (about !== undefined) return send(response, { code: 200, body: about })
    const request = parseApiRequest(raw.method ?? "", raw.url ?? "", Buffer.concat(pieces))
    if (request === undefined) return send(response, refusal(refuse.noPath()))
    const { verb, resource, group, namespace, name, body } = request
    requests.push({
      verb,
      resource,
      namespace,
      name,
      sent: verb === "create" ? JSON.parse(body.toString()) : undefined,
    })
    const fault = faults.take(request)
    if (fault("hang-up") !== undefined) return void raw.socket.destroy()
    const page = fault("page")
    if (page !== undefined) return send(response, { code: page.code, body: "<html>bad gateway</html>" })
    const status = fault("status")
    if (status !== undefined) return send(response, refusal(refuse[status.status]()))
    if (forbidden.has(`${verb} ${resource}`))
      return send(response, refusal(refuse.forbidden(verb, resource, group, namespace)))
    const answered = answerApi(request, state)
    if (fault("lose-answer") !== undefined) return void raw.socket.destroy()
    if (fault("cut") !== undefined) return cut(response, answered)
    send(response, answered)
  }

  const listener = (raw: IncomingMessage, response: ServerResponse): void => {
    answer(raw, response).catch(() => raw.socket.destroy())
  }
  const server = certificate === undefined ? createHttpServer(listener) : createHttpsServer(certificate, listener)
  let connections = 0
  server.on(certificate === undefined ? "connection" : "secureConnection", () => connections++)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const find = <T>(objects: ReadonlyMap<string, T>, name: string): T => {
    const found = namespaces.map((namespace) => objects.get(keyOf(namespace, name))).find((one) => one !== undefined)
    if (found === undefined) throw new Error(`There is no ${name}.`)
    return found
  }
  return {
    url: `${certificate === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    requests,
    faults,
    connections: () => connections,
    jobs: () => [...store.jobs].filter(([key]) => isVisible(key)).map(([, job]) => job),
    pods: () => [...store.pods.values()],
    forbid: (verb, resource) => void forbidden.add(`${verb} ${resource}`),
    setAway(away) {
      isAway = away
      if (away) server.closeAllConnections()
    },
    setSuspended(name, isSuspended) {
      find(store.jobs, name).spec.suspend = isSuspended
      changed()
    },
    kill(name, how) {
      const pod = find(store.pods, name)
      if (!kubelet.isRunning(pod)) throw new Error(`The pod ${name} does not run.`)
      if (how === "eviction") markDisrupted(pod, "EvictionByEvictionAPI")
      kubelet.stop(pod, 0)
    },
    async close() {
      controller.close()
      await kubelet.close()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

function refusal(answer: StatusAnswer): ApiAnswer {
  return { code: answer.code, body: statusBody(answer) }
}

function cut(response: ServerResponse, { code, body }: ApiAnswer): void {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  response.writeHead(code, { "content-length": text.length })
  response.write(text.slice(0, text.length / 2), () => response.destroy())
}

function send(response: ServerResponse, { code, body }: ApiAnswer): void {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const type = typeof body === "string" ? "text/plain" : "application/json"
  response.writeHead(code, { "content-type": type, ...(code === 429 ? { "retry-after": "1" } : {}) }).end(text)
}
