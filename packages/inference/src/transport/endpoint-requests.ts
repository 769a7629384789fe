import { hasUrlUser } from "@assay/schemas"
import type { Dispatcher } from "undici"
import type { AnswerRoom } from "../inference-context.ts"
import { checkAnswerShape } from "./answer-limits.ts"
import type { Exchange } from "./exchange.ts"
import { sendStreamed, sendWhole, type Answer, type SentRequest } from "./send-request.ts"

/** One request to an endpoint. */
export interface EndpointRequest extends Pick<SentRequest, "method" | "origin" | "path" | "body"> {
  readonly exchange: Exchange
}

/** Sends requests to one endpoint. */
export type SendToEndpoint = (request: EndpointRequest) => Promise<Answer>

export interface SendOptions {
  /** Null: the header is not sent. */
  readonly authorization: string | null
  readonly room: AnswerRoom | undefined
}

const MAX_REDIRECTS = 5
const AGENT = "assay"

/**
 * Creates the function that sends requests over `dispatcher`, adds the key, and records each answer in its exchange. It follows
 * 307 and 308 within the same origin. Any other redirect, and one to a URL with a user name or a password, is returned as the
 * answer.
 */
export function createEndpointSender(dispatcher: Dispatcher, { authorization, room }: SendOptions): SendToEndpoint {
  const key = authorization === null ? {} : { authorization }
  const whole = headersFor("application/json", key)
  const streamed = headersFor("text/event-stream, application/json", key)

  async function sendOnce(request: SentRequest, exchange: Exchange): Promise<Answer> {
    if (exchange.isStreamed) return sendStreamed(dispatcher, request, exchange)
    const answer = await sendWhole(dispatcher, request, { exchange, room })
    checkAnswerShape(answer.content)
    return answer
  }

  return async ({ exchange, ...request }) => {
    const { isStreamed, traceparent } = exchange
    const own = (isStreamed ? streamed : whole)[request.method]
    const headers = traceparent === undefined ? own : { ...own, traceparent }
    let { path } = request
    try {
      for (let redirects = 0; ; redirects++) {
        const answer = await sendOnce({ ...request, path, headers }, exchange)
        const next = redirectWithin(request.origin, path, answer)
        if (next === undefined) return answer
        if (redirects === MAX_REDIRECTS) throw new Error(`It redirects more than ${MAX_REDIRECTS} times.`)
        path = next
      }
    } catch (error) {
      exchange.broke = error
      throw error
    }
  }
}

function headersFor(
  accept: string,
  key: SentRequest["headers"],
): Readonly<Record<SentRequest["method"], SentRequest["headers"]>> {
  // Servers that compress nevertheless are understood.
  const headers = { accept, "accept-encoding": "identity", "user-agent": AGENT, ...key }
  return { GET: headers, POST: { ...headers, "content-type": "application/json" } }
}

/** Returns the path that an answer redirects to within its origin. */
function redirectWithin(origin: string, path: string, { status, headers }: Answer): string | undefined {
  if (status !== 307 && status !== 308) return undefined
  const { location } = headers
  const next =
    location !== undefined && URL.canParse(location, origin + path) ? new URL(location, origin + path) : undefined
  return next?.origin === origin && !hasUrlUser(next.href) ? next.pathname + next.search : undefined
}
