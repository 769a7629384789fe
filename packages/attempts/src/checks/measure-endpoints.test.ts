import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { setTimeout as wait } from "node:timers/promises"
import { onTestFinished, expect, it } from "vitest"
import { endpointKey } from "@assay/scoring"
import { testEnvironment } from "@assay/evaluation/testing"
import { measureEndpoints } from "./check-endpoints.ts"

/** Starts an endpoint that needs some milliseconds for each token. Its first answer takes far longer, as if it had to be loaded. */
async function startEndpoint(firstMs: number, tokenMs: number, coldMs = 0) {
  const asked: unknown[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { max_tokens: tokens } = JSON.parse(await text(request)) as { max_tokens: number }
    asked.push(tokens)
    await wait(firstMs + (tokens - 1) * tokenMs + (asked.length === 1 ? coldMs : 0))
    const choices = [{ index: 0, finish_reason: "length", message: { role: "assistant", content: "a" } }]
    const usage = { prompt_tokens: 1, completion_tokens: tokens, total_tokens: 1 + tokens }
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify({ object: "chat.completion", choices, usage }))
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const endpoint = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, model_id: "m" }
  return { endpoint, asked }
}

const measure = (endpoint: { url: string; model_id: string }) =>
  measureEndpoints([{ endpoint, locations: [] }], testEnvironment(), new AbortController().signal)

it("the first request, which opens the connection, does not count", async () => {
  const { endpoint, asked } = await startEndpoint(5, 0, 300)
  const speed = (await measure(endpoint)).get(endpointKey(endpoint))
  expect(speed?.firstTokenMs).toBeGreaterThanOrEqual(4)
  expect(speed?.firstTokenMs).toBeLessThan(250)
  expect(asked).toEqual([1, 1, 1, 16, 16, 16, 16])
})

it("tokens and requests at once are measured apart", async () => {
  const { endpoint } = await startEndpoint(5, 10)
  const speed = (await measure(endpoint)).get(endpointKey(endpoint))
  expect(speed?.tokenMs).toBeGreaterThan(3)
  // Four requests take less time together than one after another.
  expect(speed?.share).toBeLessThan(0.9)
})

it("an endpoint that does not answer is left out", async () => {
  expect((await measure({ url: "http://127.0.0.1:1/v1", model_id: "m" })).size).toBe(0)
})
