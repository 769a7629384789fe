import { verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import type { InferenceClient } from "../inference-client.ts"
import { failureOf, HELLO, openTestClient } from "../testing/open-test-client.ts"

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string } }[]
  readonly usage?: unknown
}

async function collect(client: InferenceClient, parameters: object = {}): Promise<{ text: string; chunks: Chunk[] }> {
  const chunks: Chunk[] = []
  for await (const chunk of client.stream({ ...HELLO, parameters: { ...parameters } })) chunks.push(chunk)
  return { text: chunks.map(({ choices }) => choices?.[0]?.delta?.content ?? "").join(""), chunks }
}

describe("a streamed answer", () => {
  it(
    "arrives chunk by chunk, with usage if the request contains the option",
    verifies("inference.stream"),
    async () => {
      const { client, server } = await openTestClient()
      const { text, chunks } = await collect(client, { stream_options: { include_usage: true } })
      expect(text).toBe('You asked: "Hello there". Here is a short answer.')
      expect(chunks.at(-1)).toMatchObject({ usage: { prompt_tokens: 2 } })
      expect(server.requests[0]?.chat).toMatchObject({ stream: true, model: "chat" })
    },
  )

  it.each([
    { kind: "cut" as const, after: 400 },
    { kind: "end-early" as const, after: 400 },
  ])("that breaks off ends in a coded error: $kind", verifies("inference.stream"), async (fault) => {
    const { client, server } = await openTestClient()
    server.faults.add({ fault })
    const error = await failureOf(collect(client))
    expect(error).toMatchObject({ code: "bad_response", context: { status: 200 } })
    expect(error.message).toContain("broke off")
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    { finish: null, mark: "", ends: "bad_response" },
    { finish: "stop", mark: "", ends: "well" },
    { finish: null, mark: "data: [DONE]\n\n", ends: "well" },
  ])(
    "is complete with a finish_reason or an end mark: $finish and '$mark' end as $ends",
    verifies("inference.stream"),
    async (said) => {
      const { client, server } = await openTestClient()
      const chunk = { choices: [{ delta: { content: "a" }, finish_reason: said.finish }] }
      const body = `data: ${JSON.stringify(chunk)}\n\n${said.mark}`
      const headers = { "content-type": "text/event-stream" }
      server.faults.add({ fault: { kind: "answer", status: 200, headers, body } })
      const end = await collect(client).then(
        () => "well",
        (error: { code: string }) => error.code,
      )
      expect(end).toBe(said.ends)
    },
  )

  it("can be read slowly: only the silence of the model counts", verifies("inference.timeout"), async () => {
    // Larger than all buffers, so that the answer is still arriving while nobody reads.
    const content = `${"x".repeat(10_000)} `.repeat(1000)
    const { client } = await openTestClient({ timeoutMs: 20_000, server: { models: { chat: () => ({ content }) } } })
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    onTestFinished(() => void vi.useRealTimers())
    let count = 0
    for await (const _ of client.stream(HELLO)) {
      count += 1
      if (count === 1) await vi.advanceTimersByTimeAsync(30_000)
    }
    expect(count).toBe(1002)
  })

  it("that falls silent ends with the time limit", verifies("inference.timeout"), async () => {
    const { client, server } = await openTestClient({ timeoutMs: 60 })
    server.faults.add({ fault: { kind: "hang-in-body", after: 400 } })
    expect(await failureOf(collect(client))).toMatchObject({ code: "request_timeout" })
  })

  it("is requested again if it fails before its first chunk", async () => {
    const { client, server } = await openTestClient()
    server.faults.add({ times: 1, fault: { kind: "condition", condition: "loading" } })
    expect((await collect(client)).chunks.length).toBeGreaterThan(3)
    expect(server.requests).toHaveLength(2)
  })

  it.each([
    { body: 'data: {"error":{"message":"model is overloaded","code":429}}\n\n', code: "rate_limited" },
    { body: "data: {broken\n\n", code: "bad_response" },
    { body: '{"object":"chat.completion","choices":[]}', code: "bad_response" },
    { body: "", code: "bad_response" },
  ])("whose body is $body fails with $code", verifies("inference.stream"), async ({ body, code }) => {
    const { client, server } = await openTestClient({ maxRetries: 0 })
    const headers = { "content-type": "text/event-stream" }
    server.faults.add({ fault: { kind: "answer", status: 200, headers, body } })
    expect(await failureOf(collect(client))).toMatchObject({ code })
  })

  it("releases its connection when the reader stops", async () => {
    const { client, server } = await openTestClient()
    server.faults.add({ fault: { kind: "hang-in-body", after: 400 } })
    for await (const _ of client.stream(HELLO)) break
    await expect.poll(() => server.countOpenAnswers()).toBe(0)
  })

  it("throws the reason of the signal when it is aborted", async () => {
    const { client, server } = await openTestClient()
    server.faults.add({ fault: { kind: "hang-in-body", after: 400 } })
    const controller = new AbortController()
    const read = async () => {
      for await (const _ of client.stream(HELLO, { signal: controller.signal })) controller.abort(new Error("enough"))
    }
    await expect(read()).rejects.toThrow("enough")
  })
})
