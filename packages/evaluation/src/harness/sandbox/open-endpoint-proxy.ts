import { once } from "node:events"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import type { InferenceContext } from "@assay/inference"
import type { ApiEndpoint } from "@assay/schemas"
import { Agent, type Dispatcher } from "undici"
import { SANDBOX_ENDPOINT_PORT } from "./harness-sandbox.ts"

interface EndpointProxyOptions {
  readonly endpoint: ApiEndpoint
  /** Replaces whatever key a request carries. Absent: what it carries is passed on. */
  readonly key: string | undefined
  readonly inference: Pick<InferenceContext, "openDispatcher">
}

/** Passes requests from a sandbox on to one endpoint, and to nothing else. */
export interface EndpointProxy extends AsyncDisposable {
  /** The address of the endpoint as the sandbox has it. */
  readonly url: string
  /** Where it listens. */
  readonly socket: string
}

/** Headers of one connection, which the next one has of its own. */
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

/** What clients of models use. TRACE would answer with the key, and others change what an endpoint has. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"])

/** Of an address that names the call itself. */
const CALL = /\/(chat\/completions|completions|embeddings|responses)\/?$/

/**
 * Listens on a Unix socket. A GET, HEAD or POST goes to the endpoint if its path is that of the endpoint or below it; its body
 * and the answer pass as they are, redirects too.
 */
export async function openEndpointProxy(options: EndpointProxyOptions): Promise<EndpointProxy> {
  const { endpoint, inference } = options
  const base = new URL(endpoint.url)
  const ca = endpoint.ca === undefined ? {} : { ca: endpoint.ca }
  const dispatcher = inference.openDispatcher?.(ca) ?? new Agent({ connect: ca })
  const server = createServer((request, response) => {
    forward(request, response, { ...options, base, dispatcher }).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else answer(response, 502, `The endpoint could not be asked: ${reasonOf(error)}.`)
    })
  })
  // The path of a socket may have a hundred characters: the folder of a job is too long.
  const folder = await mkdtemp(join(tmpdir(), "assay-"))
  const socket = join(folder, "endpoint")
  server.listen(socket)
  await once(server, "listening")
  // The command runs as another user, and reaches the socket through the sandbox alone.
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
  { base, key, dispatcher }: Forwarding,
): Promise<void> {
  const { method = "GET" } = request
  if (!METHODS.has(method)) {
    return answer(response, 405, `A harness asks its target with ${[...METHODS].join(", ")}, and not with ${method}.`)
  }
  const path = pathBelow(request.url ?? "", base)
  if (path === undefined) {
    return answer(response, 403, `A harness reaches what lies below '${rootOf(base)}' of its target, and nothing else.`)
  }
  const abort = new AbortController()
  response.once("close", () => abort.abort())
  const hasBody = request.headers["content-length"] !== undefined || request.headers["transfer-encoding"] !== undefined
  const { statusCode, headers, body } = await dispatcher.request({
    origin: base.origin,
    path,
    method,
    headers: { ...passedOn(request.headers), ...(key === undefined ? {} : { authorization: `Bearer ${key.trim()}` }) },
    body: hasBody ? request : null,
    signal: abort.signal,
  })
  response.writeHead(statusCode, passedOn(headers))
  await pipeline(body, response)
}

/** The path with its query, once dots are resolved; undefined where it leads elsewhere. */
function pathBelow(asked: string, base: URL): string | undefined {
  if (!asked.startsWith("/") || !URL.canParse(asked, base.origin)) return undefined
  const { origin, pathname, search } = new URL(base.origin + asked)
  const root = rootOf(base)
  // A server may read an escaped slash or dot like a plain one, escaped twice too, and dots with a parameter behind them.
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

function answer(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify({ error: { message } }))
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
