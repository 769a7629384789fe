import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps, type RequestOptions } from "node:https"
import type { KubeConfig } from "@kubernetes/client-node"
import { flatHeaders, type HttpResponse } from "@assay/http"
import { AssayError, cutMiddle, isAssayError, printable } from "@assay/schemas"
import type { ExecutorPorts } from "../../executor.ts"
import { loadKubeconfig } from "./load-kubeconfig.ts"

/** A request to an API server. */
export interface ClusterRequest {
  readonly method: "GET" | "POST" | "DELETE"
  /** Path and query. */
  readonly path: string
  readonly body?: object
}

/** An API server, and how a user is known to it. */
export interface Cluster {
  /** For messages. */
  readonly server: string
  /** The namespace of the context. */
  readonly namespace: string
  /** Sends one request once. @throws an error of the connection; `executor_failed` if there are no credentials */
  send(request: ClusterRequest, signal: AbortSignal): Promise<HttpResponse>
}

export interface OpenClusterOptions {
  readonly context: string | undefined
  /** The folder in which a pod has the token of its service account. */
  readonly accountFolder?: string
}

const ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount"
/** Milliseconds that a connection may be silent. */
const SILENCE_MS = 30_000

/**
 * Opens the API server of a kubeconfig: of the files in `KUBECONFIG`, of `~/.kube/config`, or of the service account of the pod. Tokens, certificates,
 * commands that print credentials, OIDC and proxies work as with kubectl. Sends nothing.
 * @throws `executor_failed`, which never contains a part of the kubeconfig
 */
export async function openCluster({ env, cwd }: ExecutorPorts, options: OpenClusterOptions): Promise<Cluster> {
  const { context, accountFolder = ACCOUNT_FOLDER } = options
  const config = await loadKubeconfig({ env, cwd }, { context, accountFolder })
  const cluster = config.getCurrentCluster()
  if (cluster === null) {
    const named = printable(cutMiddle(config.getCurrentContext() ?? "", 200))
    throw failed(
      `The kubeconfig has no cluster for its context '${named}': name one with \`context\` of the profile, or with \`kubectl config use-context\`.`,
    )
  }
  const { server } = cluster
  const url = parseServer(server)
  const plainAgent = url.protocol === "http:" ? new HttpAgent({ keepAlive: true }) : undefined
  return {
    server: url.host,
    namespace: config.getContextObject(config.getCurrentContext())?.namespace?.trim() || "default",
    async send(request, signal) {
      const { headers, auth, agent } = await credentialsOf(config, plainAgent)
      const target: RequestOptions = {
        protocol: url.protocol,
        hostname: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port,
        path: `${url.pathname.replace(/\/$/, "")}${request.path}`,
        method: request.method,
        timeout: SILENCE_MS,
        signal,
        auth: auth ?? null,
        agent,
      }
      return sendOnce(target, { "user-agent": "assay", accept: "application/json", ...headers }, request.body)
    },
  }
}

function parseServer(server: string): URL {
  try {
    return new URL(server)
  } catch {
    throw failed("The kubeconfig names a server that is not a URL: check it with `kubectl config view --minify`.")
  }
}

interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly auth: string | undefined
  readonly agent: RequestOptions["agent"]
}

/** Returns the credentials of the user. The library renews them, and keeps one agent. */
async function credentialsOf(config: KubeConfig, plainAgent: HttpAgent | undefined): Promise<Credentials> {
  const options: RequestOptions = {}
  try {
    if (plainAgent !== undefined && config.getCurrentCluster()?.skipTLSVerify !== true) {
      throw failed(
        "The kubeconfig names a server with http://, which shows the token to everyone in between: use https://, or set `insecure-skip-tls-verify: true` for a proxy of this machine.",
      )
    }
    await config.applyToHTTPSOptions(options)
  } catch (error) {
    if (isAssayError(error)) throw error
    const said = wordsOf(error, config)
    throw failed(`The credentials of the kubeconfig can't be read${said}. Try \`kubectl auth whoami\`.`)
  }
  const headers = Object.entries(options.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  )
  return { headers: Object.fromEntries(headers), auth: options.auth ?? undefined, agent: plainAgent ?? options.agent }
}

/**
 * Returns what a command of credentials wrote to stderr, or which file is missing. Errors of parsers quote what they read, which can be
 * credentials, so they are not shown.
 */
function wordsOf(error: unknown, config: KubeConfig): string {
  if (!(error instanceof Error) || error instanceof SyntaxError) return ""
  const isOfSystem = "syscall" in error
  const isOfCommand = (config.getCurrentUser()?.exec ?? undefined) !== undefined
  return isOfSystem || isOfCommand ? `: ${printable(cutMiddle(error.message.trim(), 300))}` : ""
}

function sendOnce(target: RequestOptions, headers: Readonly<Record<string, string>>, body: object | undefined) {
  return new Promise<HttpResponse>((resolve, reject) => {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const length = bytes === undefined ? {} : { "content-type": "application/json", "content-length": bytes.length }
    const send = target.protocol === "http:" ? requestHttp : requestHttps
    const request: ClientRequest = send(
      { ...target, headers: { ...headers, ...length } },
      (response: IncomingMessage) => {
        // The reader of the body gets the error. Without this listener, the error of an unread body would end the process.
        response.on("error", () => {})
        resolve({ status: response.statusCode ?? 0, headers: flatHeaders(response.headers), body: response })
      },
    )
    request.on("error", reject)
    request.on("timeout", () => request.destroy(Object.assign(new Error("silent"), { code: "ETIMEDOUT" })))
    request.end(bytes)
  })
}

function failed(message: string): AssayError {
  return new AssayError("executor_failed", message)
}
