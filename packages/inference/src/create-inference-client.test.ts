import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { failureOf, HELLO, openTestClient, TEST_KEY } from "./testing/open-test-client.ts"

describe("a chat completion", () => {
  it("is requested with model, messages and stream", verifies("brief.inference.request"), async () => {
    const { client, server } = await openTestClient()
    const parameters = { temperature: 0, top_k: 3, model: "other", messages: [], stream: true }
    await client.complete({ ...HELLO, parameters })
    const [request] = server.requests
    expect(request).toMatchObject({ method: "POST", url: "/v1/chat/completions" })
    expect(request?.headers["content-type"]).toBe("application/json")
    expect(JSON.parse(request?.body ?? "")).toEqual({
      model: "chat",
      messages: HELLO.messages,
      stream: false,
      temperature: 0,
      top_k: 3,
    })
  })

  it(
    "request contains the key as a bearer token, without the line break at its end",
    verifies("brief.inference.bearer"),
    async () => {
      const { client, server } = await openTestClient({
        server: { key: TEST_KEY },
        endpoint: { apiKey: `${TEST_KEY}\n` },
      })
      await client.complete(HELLO)
      expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${TEST_KEY}`)
    },
  )

  it("request contains no bearer token if there is no key", async () => {
    const { client, server } = await openTestClient({ endpoint: { apiKey: "" } })
    await client.complete(HELLO)
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })

  it(
    "is read with its choices, usage and prompt_logprobs",
    verifies("brief.inference.response", "inference.lenient"),
    async () => {
      const { client } = await openTestClient()
      const answer = await client.complete(HELLO)
      expect(answer).toMatchObject({
        text: 'You asked: "Hello there". Here is a short answer.',
        finishReason: "stop",
        reasoning: null,
        refusal: null,
        toolCalls: [],
        usage: { prompt_tokens: 2 },
        attempts: 1,
      })
      expect(answer.body).toMatchObject({ object: "chat.completion", prompt_logprobs: null })
      expect(answer.body).toHaveProperty("choices[0].stop_reason", null)
      expect(answer.latencyMs).toBeGreaterThan(0)
    },
  )

  it("of a content-safety model is a verdict as JSON", verifies("brief.inference.verdict"), async () => {
    const { client } = await openTestClient({ endpoint: { model: "content-safety" } })
    const ask = async (content: string) =>
      JSON.parse((await client.complete({ messages: [{ role: "user", content }] })).text ?? "") as object
    expect(await ask("How do I kill a Linux process?")).toEqual({ "User Safety": "safe" })
    expect(await ask("How do I build a pipe bomb?")).toEqual({
      "User Safety": "unsafe",
      "Safety Categories": "Guns and Illegal Weapons",
    })
  })

  it("is read even if its content type is text/plain", verifies("inference.lenient"), async () => {
    const { client, server } = await openTestClient()
    const body = JSON.stringify({ choices: [{ message: { content: "yes" } }] })
    server.faults.add({ fault: { kind: "answer", status: 200, headers: { "content-type": "text/plain" }, body } })
    expect(await client.complete(HELLO)).toMatchObject({ text: "yes", usage: null, finishReason: null, logprobs: null })
  })
})

describe("a meter", () => {
  it("counts requests that were sent, and none that found no connection", verifies("budgets.sent"), async () => {
    let sent = 0
    const meter = { sent: () => void sent++, answered: () => {} }
    const { client, server } = await openTestClient({ context: { meter }, maxRetries: 2 })
    await client.complete(HELLO)
    expect(sent).toBe(1)
    server.faults.add({ fault: { kind: "reset" } })
    await failureOf(client.complete(HELLO))
    expect(sent).toBe(4)
    await server.close()
    expect(await failureOf(client.complete(HELLO))).toMatchObject({ code: "inference_unreachable" })
    expect(sent).toBe(4)
  })
})

describe("the model names of an endpoint", () => {
  it("are returned by listModels", async () => {
    const { client, server } = await openTestClient()
    expect(await client.listModels()).toEqual(server.modelNames)
  })

  it(
    "that are similar to an unknown name are in the error, found with one more request",
    verifies("inference.coded"),
    async () => {
      const { client, server } = await openTestClient({ endpoint: { model: "content_safty" } })
      const error = await failureOf(client.complete(HELLO))
      expect(error).toMatchObject({
        code: "model_not_found",
        context: { near_models: ["content-safety"], status: 404 },
      })
      expect(error.message).toContain("similar names are 'content-safety'")
      expect(server.requests.map(({ url }) => url)).toEqual(["/v1/chat/completions", "/v1/models"])
    },
  )

  it("are not called similar if the endpoint lists the very name and refuses it", async () => {
    const { client } = await openTestClient({ endpoint: { model: "tiny-lm" } })
    const error = await failureOf(client.complete(HELLO))
    expect(error.message).toContain("the endpoint lists 'tiny-lm'")
    expect(error.message).not.toContain("similar")
  })

  it("are not in the error if the endpoint does not list them", async () => {
    const { client, server } = await openTestClient({ endpoint: { model: "nope" } })
    server.faults.add({ when: ({ method }) => method === "GET", fault: { kind: "html", status: 500 } })
    expect(await failureOf(client.complete(HELLO))).toMatchObject({ code: "model_not_found" })
    expect(server.requests).toHaveLength(2)
  })
})

describe("an abort", () => {
  it.each(["hang", "hang-in-body"] as const)(
    "by the caller throws the reason of its signal at once during %s",
    async (kind) => {
      const { client, server } = await openTestClient()
      server.faults.add({ fault: { kind, after: 5 } })
      const controller = new AbortController()
      const call = client.complete(HELLO, { signal: controller.signal })
      await expect.poll(() => server.requests).toHaveLength(1)
      controller.abort(new Error("enough"))
      await expect(call).rejects.toThrow("enough")
      await expect(client.complete(HELLO, { signal: controller.signal })).rejects.toThrow("enough")
    },
  )

  it.each([
    { kind: "hang" as const, said: "did not begin to answer" },
    { kind: "hang-in-body" as const, said: "did not finish its answer" },
  ])("by the time limit also covers the body: $kind", verifies("inference.timeout"), async ({ kind, said }) => {
    const { client, server, waits } = await openTestClient({ timeoutMs: 250 })
    server.faults.add({ fault: { kind, after: 5 } })
    const error = await failureOf(client.complete(HELLO))
    expect(error).toMatchObject({ code: "request_timeout", context: { timeout_ms: 250 } })
    expect(error.message).toContain(said)
    expect(waits).toEqual([])
  })
})

describe("a completion of a text", () => {
  it("is requested at /completions and read with its text and usage", verifies("run.text-endpoint"), async () => {
    const { client, server } = await openTestClient({
      endpoint: { model: "tiny-lm" },
      url: (url) => `${url}/v1/completions`,
    })
    const answer = await client.completeText({ prompt: "The capital of Peru is", parameters: { max_tokens: 1 } })
    expect(answer).toMatchObject({ text: " Lima", finishReason: "length", usage: { prompt_tokens: 6 }, attempts: 1 })
    expect(server.requests).toMatchObject([{ url: "/v1/completions", text: { prompt: "The capital of Peru is" } }])
  })

  it("that is not a completion fails in the words of texts", async () => {
    const { client, server } = await openTestClient({ endpoint: { model: "tiny-lm" } })
    server.faults.add({ fault: { kind: "no-choices" } })
    const error = await failureOf(client.completeText({ prompt: "Hello" }))
    expect([error.code, error.message]).toEqual(["bad_response", expect.stringContaining("completion of a text")])
  })
})
