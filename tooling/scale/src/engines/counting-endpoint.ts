import { hash } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as pause } from "node:timers/promises"

/** An endpoint whose answers depend on the question alone, and that counts how often each was asked. */
export interface CountingEndpoint {
  /** The base URL of its API. */
  readonly url: string
  /** How often each question was asked since the last reset. */
  readonly asked: ReadonlyMap<string, number>
  reset(): void
  close(): void
}

/** Starts the endpoint on a free port. @param latencyMs milliseconds before each answer */
export async function startCountingEndpoint(latencyMs: number): Promise<CountingEndpoint> {
  const asked = new Map<string, number>()
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const { messages } = JSON.parse(Buffer.concat(pieces).toString()) as {
        readonly messages: readonly { readonly content: string }[]
      }
      const question = messages.at(-1)?.content ?? ""
      asked.set(question, (asked.get(question) ?? 0) + 1)
      void pause(latencyMs).then(() => response.end(answerTo(question)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    reset: () => asked.clear(),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function answerTo(question: string): string {
  const number = Number.parseInt(hash("sha256", question).slice(0, 6), 16)
  const message = { role: "assistant", content: `answer ${number % 7}` }
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 }
  const choices = [{ index: 0, message, finish_reason: "stop" }]
  return JSON.stringify({ id: `answer-${number}`, object: "chat.completion", model: "m", choices, usage })
}
