import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { failureOf, HELLO, openTestClient } from "../testing/open-test-client.ts"

const completion = (choice: object, more: object = {}) => ({
  choices: [{ index: 0, message: { role: "assistant", content: "No" }, finish_reason: "stop", ...choice }],
  ...more,
})
const UPSTREAM = { code: 502, message: "Upstream error from provider" }

async function openFailing(body: object | string, times = Infinity) {
  const opened = await openTestClient({ maxRetries: 1, endpoint: { model: "tiny-lm" } })
  const headers = { "content-type": typeof body === "string" ? "text/event-stream" : "application/json" }
  opened.server.faults.add({ times, fault: { kind: "answer", status: 200, headers, body } })
  return opened
}

describe("an answer with status 200 that says that the request failed", () => {
  it.each([
    ["an error in its choice", completion({ error: UPSTREAM }), "inference_unreachable"],
    ["finish_reason error", completion({ finish_reason: "error" }), "inference_unreachable"],
    [
      "finish_reason ERROR and no text",
      completion({ finish_reason: "ERROR", message: { content: "" } }),
      "inference_unreachable",
    ],
    ["finish_reason OTHER", completion({ finish_reason: "OTHER" }), "inference_unreachable"],
    [
      "finish_reason with the type abort",
      completion({ finish_reason: { type: "abort", message: "x" } }),
      "inference_unreachable",
    ],
    ["finish_reason abort", completion({ finish_reason: "abort" }), "inference_unreachable"],
    ["an error beside its choices", completion({}, { error: UPSTREAM }), "inference_unreachable"],
    ["an error that is a text", completion({}, { error: "it broke" }), "inference_unreachable"],
    ["an error without choices", { error: { message: "it broke" } }, "inference_unreachable"],
    [
      "an error whose code is 0 and whose text says more than success",
      completion({}, { error: { code: 0, message: "content blocked" } }),
      "inference_unreachable",
    ],
    ["an error of success without choices", { error: { code: 0, message: "Success" } }, "inference_unreachable"],
    ["a text of success without a code", completion({}, { error: { message: "Success" } }), "inference_unreachable"],
    [
      "an error of success and a choice that failed",
      completion({ finish_reason: "error" }, { error: { code: 0, message: "Success" } }),
      "inference_unreachable",
    ],
    ["a list of errors", completion({}, { errors: [{ message: "it broke" }] }), "inference_unreachable"],
    ["an error in its message", completion({ message: { content: "No", error: UPSTREAM } }), "inference_unreachable"],
    [
      "a status of its own",
      completion({}, { base_resp: { status_code: 1000, status_msg: "unknown error" } }),
      "inference_unreachable",
    ],
    ["a rate limit", completion({ error: { code: 429, message: "slow down" } }), "rate_limited"],
  ])("fails and is requested again: %s", verifies("inference.failed-answer"), async (_, body, code) => {
    const { client, server } = await openFailing(body)
    for (const call of [() => client.complete(HELLO), () => client.completeText({ prompt: "Hello" })]) {
      expect(await failureOf(call())).toMatchObject({ code, context: { status: 200 } })
    }
    expect(server.requests).toHaveLength(4)
  })

  it("succeeds if the next attempt does", verifies("inference.failed-answer"), async () => {
    const { client, server } = await openFailing(completion({ error: UPSTREAM }), 1)
    expect(await client.completeText({ prompt: "The capital of Peru is" })).toMatchObject({ attempts: 2 })
    expect(server.requests).toHaveLength(2)
  })

  it.each([
    ["a key", completion({ error: { code: 401, message: "bad key" } }), "inference_unauthorized"],
    ["the request", completion({ error: { code: 400, message: "maximum context length" } }), "context_overflow"],
  ])("is not requested again if it is about %s", verifies("inference.failed-answer"), async (_, body, code) => {
    const { client, server } = await openFailing(body)
    expect(await failureOf(client.complete(HELLO))).toMatchObject({ code })
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    { error: null },
    { error: {} },
    { error: { code: 0, message: "" } },
    { error: "" },
    { error: false },
    { errors: [] },
    { errors: null },
    { base_resp: { status_code: 0 } },
    { error: { code: 0, message: "Success" } },
    { error: { code: "0", message: "ok", type: "" } },
    { error: { code: 200, message: "SUCCESS", status: 200 } },
  ])("is an answer if the error is empty: %j", async (empty) => {
    const { client } = await openFailing(completion(empty, empty))
    expect(await client.complete(HELLO)).toMatchObject({ text: "No" })
  })

  it.each([
    { index: 0, delta: {}, error: UPSTREAM },
    { index: 0, delta: {}, finish_reason: "error" },
  ])("fails in a stream, after the chunks before it: %j", verifies("inference.failed-answer"), async (last) => {
    const chunks = [{ choices: [{ index: 0, delta: { content: "No" } }] }, { choices: [last] }]
    const { client } = await openFailing(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(""))
    const seen: unknown[] = []
    const read = async () => {
      for await (const chunk of client.stream(HELLO)) seen.push(chunk)
    }
    expect(await failureOf(read())).toMatchObject({ code: "inference_unreachable" })
    expect(seen).toEqual(chunks.slice(0, 1))
  })

  it.each([
    ["has neither a finish_reason nor an end mark", "", "the stream ended before the answer was complete"],
    ["ends with an event that is named error", 'event: error\ndata: {"message":"overloaded"}\n\n', "overloaded"],
    ["ends with such an event that is a text", "event: error\ndata: it broke\n\n", "it broke"],
  ])(
    "fails if it is a stream that nobody requested and %s",
    verifies("inference.failed-answer"),
    async (_, end, said) => {
      const begun = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "No" } }] })}\n\n`
      const { client, server } = await openFailing(begun + end)
      const { message } = await failureOf(client.complete(HELLO))
      expect(message).toContain(`answers 200 with '${said}'`)
      expect(server.requests).toHaveLength(2)
    },
  )
})
