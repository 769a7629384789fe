import type { KubeConfig } from "@kubernetes/client-node"
import { type HttpHeaders, type HttpResponse, type Transport, unlessAborted } from "@assay/http"
import { createTransport } from "@assay/http/node"
import { AssayError, cutMiddle, printable } from "@assay/schemas"
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

/**
 * Opens the API server of a kubeconfig: of the files in `KUBECONFIG`, of `~/.kube/config`, or of the service account of the pod. Knows tokens, passwords,
 * certificates, commands that print credentials, OIDC and `proxy-url`, and uses them at the first request.
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
  const url = parseServer(cluster.server)
  if (url.protocol === "http:" && !cluster.skipTLSVerify) {
    throw failed(
      "The kubeconfig names a server with http://, which shows the token to everyone in between: use https://, or set `insecure-skip-tls-verify: true` for a proxy of this machine.",
    )
  }
  const namespace: unknown = config.getContextObject(config.getCurrentContext())?.namespace ?? ""
  if (typeof namespace !== "string") throw failed("The namespace of the kubeconfig is not a text: put it in quotes.")
  let kept: Transport | undefined
  return {
    server: url.host,
    namespace: namespace.trim() || "default",
    async send({ method, path, body }, signal) {
      const { transport, headers } = await unlessAborted(credentialsOf(config), signal)
      kept ??= transport
      const request = {
        method,
        origin: url.origin,
        path: `${url.pathname.replace(/\/$/, "")}${path}`,
        headers: { "user-agent": "assay", accept: "application/json", "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
      }
      try {
        const response = await kept(request, signal)
        // Commands of credentials also print certificates, which expire: the next request opens connections with new ones.
        if (response.status === 401) kept = undefined
        return response
      } catch (error) {
        kept = undefined
        throw error
      }
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
  readonly headers: HttpHeaders
  /** Connects with the certificates and the proxy of the kubeconfig. */
  readonly transport: Transport
}

/** Returns the credentials of the user, which the library renews. */
async function credentialsOf(config: KubeConfig): Promise<Credentials> {
  const { HttpMethod, RequestContext } = await import("@kubernetes/client-node/dist/gen/http/http.js")
  const request = new RequestContext("http://cluster", HttpMethod.GET)
  try {
    await config.applySecurityAuthentication(request)
  } catch (error) {
    const said = wordsOf(error, config)
    throw failed(`The credentials of the kubeconfig can't be read${said}. Try \`kubectl auth whoami\`.`)
  }
  const dispatcher = request.getDispatcher()
  return { headers: request.getHeaders(), transport: createTransport(dispatcher === undefined ? {} : { dispatcher }) }
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

function failed(message: string): AssayError {
  return new AssayError("executor_failed", message)
}
