import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import type { History, Question } from "./history.ts"

/** A chat completions endpoint that answers each question after the same time, and records all of them. */
export interface Endpoint {
  readonly url: string
  /** Requests that are in flight, and those that were answered so recently that their rows may be in no journal yet. */
  readonly unsaved: () => number
  readonly history: () => Omit<History, "inFlightAtKills">
  close(): Promise<void>
}

/** The answer to the question about a row. */
export function answerTo(row: number): string {
  return row % 3 === 0 ? "right" : "wrong"
}

/** Milliseconds in which a worker makes an answer durable, on a busy machine. */
const SAVING_MS = 250

export async function startEndpoint(latencyMs: number): Promise<Endpoint> {
  const questions: Question[] = []
  let [inFlight, peak] = [0, 0]
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { messages } = JSON.parse(await readBody(request)) as { messages: readonly { content: string }[] }
    const row = Number(/row (\d+)/.exec(messages.at(-1)?.content ?? "")?.[1])
    const question: Question = { row, at: Date.now(), answeredAt: undefined }
    questions.push(question)
    peak = Math.max(peak, ++inFlight)
    response.once("close", () => inFlight--)
    await sleep(latencyMs)
    if (response.destroyed) return
    question.answeredAt = Date.now()
    const message = { role: "assistant", content: answerTo(row) }
    const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 }
    response.setHeader("content-type", "application/json")
    response.end(
      JSON.stringify({
        id: `chat-${questions.length}`,
        object: "chat.completion",
        created: 0,
        model: "scale",
        choices: [{ index: 0, message, finish_reason: "stop" }],
        usage,
      }),
    )
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    unsaved() {
      const since = Date.now() - SAVING_MS
      return inFlight + questions.filter(({ answeredAt = 0 }) => answeredAt > since).length
    },
    history: () => ({ questions, peak }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ""
  request.setEncoding("utf8")
  for await (const piece of request) body += String(piece)
  return body
}
