import { hasUrlUser } from "@assay/schemas"
import type { Dispatcher } from "undici"
import type { AnswerRoom } from "../inference-context.ts"
import { checkAnswerShape } from "./answer-limits.ts"
import type { Exchange } from "./exchange.ts"
import { sendStreamed, sendWhole, type SentRequest } from "./send-request.ts"

/** The options that the SDK passes on to `fetch`. */
export interface ExchangeOptions {
  readonly exchange: Exchange
}

const MAX_REDIRECTS = 5
const AGENT = "assay"

export interface RecordingOptions {
  /** Null: the header is not sent. */
  readonly authorization: string | null
  readonly room: AnswerRoom | undefined
}

/**
 * Creates the `fetch` of the SDK: it sends over `dispatcher`, records the answer in the exchange, and adds the key, which the
 * SDK never sees. It follows 307 and 308 within the same origin. Any other redirect, and one to a URL with a user name or a
 * password, is returned as the answer.
 */
export function createRecordingFetch(dispatcher: Dispatcher, { authorization, room }: RecordingOptions): typeof fetch {
  const send = async (address: string, init: RequestInit & Partial<ExchangeOptions>): Promise<Response> => {
    const { exchange } = init
    if (exchange === undefined) throw new TypeError("The request has no exchange.")
    const method = init.method === "POST" ? "POST" : "GET"
    const headers: Record<string, string> = {
      accept: exchange.isStreamed ? "text/event-stream, application/json" : "application/json",
      "user-agent": AGENT,
    }
    if (method === "POST") headers["content-type"] = "application/json"
    if (authorization !== null) headers["authorization"] = authorization
    const body = typeof init.body === "string" ? init.body : null
    let { origin, pathname, search } = new URL(address)
    for (let redirects = 0; ; redirects++) {
      const response = await sendOnce(
        dispatcher,
        { method, origin, path: pathname + search, headers, body },
        { exchange, room },
      )
      const next = redirectWithin(origin, response)
      if (next === undefined) return response
      if (redirects === MAX_REDIRECTS) throw new Error(`It redirects more than ${MAX_REDIRECTS} times.`)
      ;({ origin, pathname, search } = next)
    }
  }
  return ((address: string, init: RequestInit = {}) => {
    const { exchange } = init as Partial<ExchangeOptions>
    return send(address, init).catch((error: unknown) => {
      if (exchange !== undefined) exchange.broke = error
      throw error
    })
  }) as typeof fetch
}

async function sendOnce(
  dispatcher: Dispatcher,
  request: SentRequest,
  { exchange, room }: { readonly exchange: Exchange; readonly room: AnswerRoom | undefined },
): Promise<Response> {
  const url = request.origin + request.path
  if (exchange.isStreamed) {
    const body = await sendStreamed(dispatcher, request, exchange)
    return sdkResponse(url, exchange.status ?? 0, exchange.headers, body)
  }
  const { status, headers, text } = await sendWhole(dispatcher, request, {
    signal: exchange.deadline.signal,
    room,
    onHeaders(status, headers) {
      exchange.status = status
      exchange.headers = headers
    },
  })
  exchange.text = text
  checkAnswerShape(text)
  return sdkResponse(url, status, headers, text)
}

function redirectWithin(origin: string, { status, headers, url }: Response): URL | undefined {
  if (status !== 307 && status !== 308) return undefined
  const location = headers.get("location")
  const next = location !== null && URL.canParse(location, url) ? new URL(location, url) : undefined
  return next?.origin === origin && !hasUrlUser(next.href) ? next : undefined
}

/**
 * Creates the part of a `Response` that the SDK reads. A real `Response` takes 55 to 90 % more processor time per call (420 µs
 * instead of 270 µs, measured with Node 24 against a loopback server), and doubles the median latency with 64 calls in flight.
 */
function sdkResponse(
  url: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  content: string | AsyncIterable<Uint8Array>,
): Response {
  const response = {
    url,
    status,
    ok: status >= 200 && status < 300,
    headers: {
      get: (name: string) => headers[name.toLowerCase()] ?? null,
      has: (name: string) => Object.hasOwn(headers, name.toLowerCase()),
      entries: () => Object.entries(headers)[Symbol.iterator](),
      [Symbol.iterator]: () => Object.entries(headers)[Symbol.iterator](),
    },
    body: typeof content === "string" ? null : content,
    async text() {
      if (typeof content === "string") return content
      const pieces: Uint8Array[] = []
      for await (const piece of content) pieces.push(piece)
      return Buffer.concat(pieces).toString()
    },
  }
  return response as unknown as Response
}
