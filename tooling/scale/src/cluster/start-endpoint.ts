import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import type { History, Question } from "../history.ts"

export interface EndpointOptions {
  /** Milliseconds until a question is answered. */
  readonly latencyMs: number
  /** Questions a second that are answered. Others get 429 at once. Absent: any number. */
  readonly perSecond?: number | undefined
}

/** A chat completions endpoint that answers each question after the same time, and records all of them. */
export interface Endpoint {
  readonly url: string
  readonly port: number
  /** Requests that are in flight, and those that were answered so recently that their rows may be in no journal yet. */
  readonly unsaved: () => number
  readonly history: () => Omit<History, "inFlightAtKills">
  /** When the first question of a job with this subject came, in milliseconds since 1970. These are not part of the history. */
  readonly firstAsked: (subject: string) => number | undefined
  /** When requests came that were refused, in milliseconds since 1970. */
  readonly refusals: () => readonly number[]
  close(): Promise<void>
}

/** Returns the answer to the question about a row. */
export function answerTo(row: number): string {
  return row % 3 === 0 ? "right" : "wrong"
}

/** Returns the question about a row. Jobs whose questions are not in the history name a subject. */
export function questionAbout(row: number | string, subject = ""): string {
  return subject === "" ? `About row ${row}?` : `About ${subject} row ${row}?`
}

/** Milliseconds in which a worker makes an answer durable, on a busy machine. */
const SAVING_MS = 250
/** The number of last questions among which those that are not durable yet are looked for. */
const LAST = 20_000

export async function startEndpoint({ latencyMs, perSecond }: EndpointOptions): Promise<Endpoint> {
  const questions: Question[] = []
  const refusals: number[] = []
  const isAllowed = perSecond === undefined ? () => true : createBucket(perSecond)
  const firstOf = new Map<string, number>()
  let inFlight = 0
  let peak = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    // Somebody looks at the address.
    if (body === "") return void response.writeHead(404).end()
    const { messages } = JSON.parse(body) as { messages: readonly { content: string }[] }
    const [, subject, number] = /^About (?:(\S+) )?row (\d+)/.exec(messages.at(-1)?.content ?? "") ?? []
    const row = Number(number)
    if (subject === undefined) return record(row, response)
    if (!firstOf.has(subject)) firstOf.set(subject, Date.now())
    await sleep(latencyMs)
    reply(row, response)
  }

  async function record(row: number, response: ServerResponse): Promise<void> {
    if (!isAllowed()) {
      refusals.push(Date.now())
      response.writeHead(429, { "content-type": "application/json" }).end('{"error":{"message":"Too many requests."}}')
      return
    }
    const question: Question = { row, at: Date.now(), answeredAt: undefined }
    questions.push(question)
    peak = Math.max(peak, ++inFlight)
    response.once("close", () => inFlight--)
    await sleep(latencyMs)
    if (response.destroyed) return
    question.answeredAt = Date.now()
    reply(row, response)
  }

  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    unsaved() {
      const since = Date.now() - SAVING_MS
      return inFlight + questions.slice(-LAST).filter(({ answeredAt = 0 }) => answeredAt > since).length
    },
    history: () => ({ questions, peak }),
    refusals: () => refusals,
    firstAsked: (subject) => firstOf.get(subject),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

/** Returns a function that says whether one more request is allowed: a bucket of tokens that holds those of one second. */
function createBucket(perSecond: number): () => boolean {
  let tokens = perSecond
  let at = Date.now()
  return () => {
    const now = Date.now()
    tokens = Math.min(perSecond, tokens + ((now - at) / 1000) * perSecond)
    at = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}

function reply(row: number, response: ServerResponse): void {
  const message = { role: "assistant", content: answerTo(row) }
  const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 }
  const choices = [{ index: 0, message, finish_reason: "stop" }]
  response.setHeader("content-type", "application/json")
  response.end(
    JSON.stringify({ id: `chat-${row}`, object: "chat.completion", created: 0, model: "scale", choices, usage }),
  )
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ""
  request.setEncoding("utf8")
  for await (const piece of request) body += String(piece)
  return body
}
