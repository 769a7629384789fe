import { once } from "node:events"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import type { InferenceContext } from "@assay/inference"
import { type ApiEndpoint, messageOf } from "@assay/schemas"
import { Agent, type Dispatcher } from "undici"
import { checkAskedModel } from "./asked-model.ts"
import { SANDBOX_ENDPOINT_PORT } from "./harness-sandbox.ts"

interface EndpointProxyOptions {
  readonly endpoint: ApiEndpoint
  /** Replaces the key of each request. Undefined: the key of the request is passed on. */
  readonly key: string | undefined
  /** Whether requests for other models than that of the endpoint are refused. Default false: a benchmark may ask several. */
  readonly isOneModel?: boolean
  readonly inference: Pick<InferenceContext, "openDispatcher">
}

/** Forwards requests from a sandbox to one endpoint, and to nothing else. */
export interface EndpointProxy extends AsyncDisposable {
  /** The address of the endpoint inside the sandbox. */
  readonly url: string
  /** The Unix socket that it listens on. */
  readonly socket: string
}

/** Headers that belong to one connection and are not forwarded (RFC 9110, section 7.6.1). */
const HOP = new Set([
  "connection",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

/** The methods that model clients use. TRACE would return the key, and others change the endpoint. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"])

/** The end of an address that names the call itself. */
const CALL = /\/(chat\/completions|completions|embeddings|responses)\/?$/

/**
 * Opens a proxy on a Unix socket. Forwards a GET, HEAD or POST if its path is that of the endpoint or below it. Bodies and responses
 * pass unchanged, redirects too.
 */
export async function openEndpointProxy(options: EndpointProxyOptions): Promise<EndpointProxy> {
  const { endpoint, inference } = options
  const base = new URL(endpoint.url)
  const ca = endpoint.ca === undefined ? {} : { ca: endpoint.ca }
  const dispatcher = inference.openDispatcher?.(ca) ?? new Agent({ connect: ca })
  const server = createServer((request, response) => {
    forward(request, response, { ...options, base, dispatcher }).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else answer(response, 502, `The request to the endpoint failed: ${messageOf(error)}.`)
    })
  })
  // The path of a socket may have about 100 characters, so the folder of a job is too long.
  const folder = await mkdtemp(join(tmpdir(), "assay-"))
  const socket = join(folder, "endpoint")
  server.listen(socket)
  await once(server, "listening")
  // The command runs as another user, who can reach the socket only through the sandbox.
  await chmod(socket, 0o666)
  return {
    socket,
    url: `http://127.0.0.1:${SANDBOX_ENDPOINT_PORT}${base.pathname === "/" ? "" : base.pathname}${base.search}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
      await dispatcher.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Forwarding extends EndpointProxyOptions {
  readonly base: URL
  readonly dispatcher: Dispatcher
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { base, key, dispatcher, endpoint, isOneModel = false }: Forwarding,
): Promise<void> {
  const { method = "GET" } = request
  if (!METHODS.has(method)) {
    return answer(response, 405, `A harness can use ${[...METHODS].join(", ")} at its target, not ${method}.`)
  }
  const path = pathBelow(request.url ?? "", base)
  if (path === undefined) {
    return answer(response, 403, `A harness reaches only paths below '${rootOf(base)}' of its target.`)
  }
  const abort = new AbortController()
  response.once("close", () => abort.abort())
  const hasBody = request.headers["content-length"] !== undefined || request.headers["transfer-encoding"] !== undefined
  const below = path.slice(rootOf(base).length)
  const checked = isOneModel && method === "POST" ? await checkAskedModel(request, below, endpoint.model_id) : undefined
  if (checked !== undefined && "refusal" in checked)
    return answer(response, checked.refusal.status, checked.refusal.message)
  const { statusCode, headers, body } = await dispatcher.request({
    origin: base.origin,
    path,
    method,
    headers: { ...passedOn(request.headers), ...(key === undefined ? {} : { authorization: `Bearer ${key.trim()}` }) },
    body: checked?.body ?? (hasBody ? request : null),
    signal: abort.signal,
  })
  response.writeHead(statusCode, passedOn(headers))
  await pipeline(body, response)
}

/** Returns the path with its query after dots are resolved; undefined if it leads elsewhere. */
function pathBelow(asked: string, base: URL): string | undefined {
  if (!asked.startsWith("/") || !URL.canParse(asked, base.origin)) return undefined
  const { origin, pathname, search } = new URL(base.origin + asked)
  const root = rootOf(base)
  // Servers may decode escaped slashes and dots, even if escaped twice, and may resolve dots that have a parameter after them.
  const isPlain = !/%(?:25)*(?:2e|2f|5c)|\\|\/\.{1,2}(?:;|%(?:25)*3b)/i.test(pathname)
  const isBelow = pathname === root || pathname.startsWith(root.endsWith("/") ? root : `${root}/`)
  return origin === base.origin && isPlain && isBelow ? pathname + search : undefined
}

function rootOf({ pathname }: URL): string {
  const root = pathname.replace(CALL, "").replace(/\/+$/, "")
  return root === "" ? "/" : root
}

function passedOn(headers: IncomingMessage["headers"]): Record<string, string | string[]> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || HOP.has(name) ? [] : [[name, value] as const],
  )
  return Object.fromEntries(entries)
}

/** Answers in the form of errors of OpenAI, which clients of models show. */
function answer(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } }))
}
