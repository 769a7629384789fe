import type { FastifyReply, FastifyRequest } from "fastify"
import { access } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { CONSOLE_PAGE, type ConsoleFile, type ConsoleFiles } from "./console-files.ts"

/** Scripts and styles come from this server alone, and no other page can show a page inside itself. */
export const PAGE_POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join("; ")

/** Addresses below these paths belong to programs: what they do not find is JSON, also in a browser. */
const API_PATH = /^\/(?:v1|apis|docs|health|metrics|openapi\.json|status|cluster-info|session|assets)(?:[/?]|$)/u

/** The paths of pages. `*` matches any segment. Any other path returns 404, and the console says that the page does not exist. */
const PAGES: readonly string[] = [
  "/",
  "/filesets",
  "/filesets/*/*",
  "/rows/*/*",
  "/models",
  "/models/*/*",
  "/jobs",
  "/jobs/*",
  "/launch",
  "/prompt",
  "/compare",
  "/trends",
  "/guardrails",
  "/guardrails/*/*",
  "/calibration",
  "/workspaces",
  "/spending",
  "/secrets",
  "/tokens",
  "/audit",
  "/trash",
]

/** Returns whether the console has a page at an address. */
function isConsolePage(url: string): boolean {
  const [path = ""] = url.split(/[?#]/u)
  const parts = path.replace(/(?<=.)\/$/u, "").split("/")
  return PAGES.some((page) => {
    const wanted = page.split("/")
    return (
      wanted.length === parts.length &&
      wanted.every((part, at) => part === parts[at] || (part === "*" && parts[at] !== ""))
    )
  })
}

/** Returns whether a browser asks for a page of the console. */
export function asksForPage({ method, url, headers }: Pick<FastifyRequest, "method" | "url" | "headers">): boolean {
  if (method !== "GET" && method !== "HEAD") return false
  return headers.accept?.includes("text/html") === true && !API_PATH.test(url)
}

/** Sends the page of the console. Returns undefined if there is no console, or if no browser asks for a page. */
export function sendConsolePage(
  files: ConsoleFiles,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const page = files.get(CONSOLE_PAGE)
  if (page === undefined || !asksForPage(request)) return undefined
  const isKnown = isConsolePage(request.url)
  return sendConsoleFile(page, request, reply.code(isKnown ? 200 : 404).header("vary", "Accept, Accept-Encoding"))
}

/** Defines the routes of the scripts, styles and pictures of the console. They show nothing that needs a token. */
export function consoleFileRoutes(app: App, files: ConsoleFiles): void {
  for (const [path, file] of files) {
    if (path === CONSOLE_PAGE) continue
    app.get(path, { config: access({ scope: "public" }), schema: { hide: true } }, async (request, reply) =>
      sendConsoleFile(file, request, reply.header("vary", "Accept-Encoding")),
    )
  }
}

function sendConsoleFile(file: ConsoleFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({
    etag: file.etag,
    "cache-control": file.isPermanent ? "public, max-age=31536000, immutable" : "no-cache",
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
  })
  if (reply.statusCode === 200 && request.headers["if-none-match"]?.includes(file.etag) === true)
    return reply.code(304).send()
  const accepted = request.headers["accept-encoding"] ?? ""
  const [encoding, bytes] = encodedFor(file, accepted)
  if (encoding !== undefined) reply.header("content-encoding", encoding)
  return reply.type(file.type).header("content-length", bytes.length).send(bytes)
}

function encodedFor(file: ConsoleFile, accepted: string): readonly [string | undefined, Buffer] {
  if (file.br !== undefined && /\bbr\b(?!;q=0(?:\.0*)?(?:,|$))/u.test(accepted)) return ["br", file.br]
  if (file.gzip !== undefined && /\bgzip\b(?!;q=0(?:\.0*)?(?:,|$))/u.test(accepted)) return ["gzip", file.gzip]
  return [undefined, file.plain]
}
