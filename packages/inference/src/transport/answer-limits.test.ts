import type { RequestListener } from "node:http"
import { gzipSync } from "node:zlib"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { openScriptedClient } from "../testing/open-scripted-client.ts"
import { failureOf, HELLO } from "../testing/open-test-client.ts"
import type { InferenceContext } from "../inference-context.ts"
import { ANSWER_LIMITS } from "./answer-limits.ts"

const openClient = (answer: RequestListener, context: Partial<InferenceContext> = {}) =>
  openScriptedClient(answer, { timeoutMs: 30_000, maxRetries: 2, context })

const JSON_TYPE = { "content-type": "application/json" }
const answering =
  (body: string): RequestListener =>
  (_, response) =>
    response.writeHead(200, JSON_TYPE).end(body)
const completion = (more: string) => `{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}],"more":${more}}`

describe("a whole answer", () => {
  it.each([
    ["that is nested deeply", completion("[".repeat(5000) + "]".repeat(5000)), "is nested deeper than 64 levels"],
    ["that consists of brackets", "[".repeat(1_000_000), "is nested deeper than 64 levels"],
    ["of a million objects", completion(`[${"{},".repeat(1_000_000)}0]`), "has more than 500,000 objects"],
    ["without an end", completion(`"${"x".repeat(ANSWER_LIMITS.bytes)}"`), "is longer than 16,777,216 bytes"],
  ])(
    "%s is refused before it is parsed, and not requested again",
    verifies("inference.answer-limits"),
    async (_, body, said) => {
      const { client, count } = await openClient(answering(body))
      const error = await failureOf(client.complete(HELLO))
      expect(error).toMatchObject({ code: "bad_response", context: { status: 200 } })
      expect(error.message).toContain(said)
      expect(error.message.length).toBeLessThan(400)
      expect(count()).toBe(1)
    },
  )

  it(
    "fails if others hold the shared memory, and releases its own share",
    verifies("inference.answer-limits"),
    async () => {
      const answerRoom = { maxBytes: 2_500_000, heldBytes: 0 }
      const large = completion(`"${"x".repeat(1_000_000)}"`)
      let begun = 0
      // The first answers never end.
      const { client } = await openClient(
        (_, response) => void (begun++ < 3 ? response.writeHead(200, JSON_TYPE).write(large) : response.end(large)),
        { answerRoom },
      )
      const stop = new AbortController()
      const waiting = [1, 2, 3].map(() => client.complete(HELLO, { signal: stop.signal }).catch(() => undefined))
      await expect.poll(() => answerRoom.heldBytes).toBeGreaterThan(2_000_000)
      const refused = await failureOf(client.complete(HELLO))
      expect(refused.message).toContain("the answers that arrive at the same time take more than 2,500,000 bytes")
      stop.abort(new Error("enough"))
      await Promise.all(waiting)
      expect(answerRoom.heldBytes).toBe(0)
      expect((await client.complete(HELLO)).text).toBe("Hi")
      expect(answerRoom.heldBytes).toBe(0)
    },
  )

  it(
    "that unpacks to more than its limit is refused, and does not take the shared memory",
    verifies("inference.answer-limits", "inference.encoded"),
    async () => {
      const bomb = gzipSync(Buffer.alloc(ANSWER_LIMITS.bytes + 1, " "))
      const answerRoom = { maxBytes: 100_000_000, heldBytes: 0 }
      const headers = { ...JSON_TYPE, "content-encoding": "gzip" }
      const { client, count } = await openClient((_, response) => response.writeHead(200, headers).end(bomb), {
        answerRoom,
      })
      const error = await failureOf(client.complete(HELLO))
      expect(error.message).toContain("is longer than 16,777,216 bytes")
      expect([error.code, count(), answerRoom.heldBytes]).toEqual(["bad_response", 1, 0])
    },
  )

  it("of 8,000 tokens with their logprobs is read", verifies("inference.answer-limits"), async () => {
    const top = Array.from({ length: 5 }, (_, index) => ({ token: `t${index}`, logprob: -index, bytes: [1, 2] }))
    const content = Array.from({ length: 8000 }, () => ({ token: "a", logprob: -1, bytes: [97], top_logprobs: top }))
    const body = JSON.stringify({
      choices: [{ message: { content: "Hi" }, finish_reason: "stop", logprobs: { content } }],
    })
    const { client } = await openClient(answering(body))
    const { logprobs } = await client.complete(HELLO)
    expect(logprobs).toHaveLength(8000)
  })

  it("whose text contains brackets is read", verifies("inference.answer-limits"), async () => {
    const text = `${"[{(".repeat(10_000)}"`
    const { client } = await openClient(answering(JSON.stringify({ choices: [{ message: { content: text } }] })))
    expect((await client.complete(HELLO)).text).toBe(text)
  })
})

describe("a streamed answer", () => {
  const EVENT = 'data: {"choices":[{"delta":{"content":"word "},"finish_reason":null}]}\n\n'

  /** Sends `begin`, then `rest` as long as the client reads. */
  const endless =
    (begin: string, rest: string): RequestListener =>
    (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(begin)
      const send = () => {
        while (!response.destroyed && response.write(rest));
      }
      response.on("drain", send)
      send()
    }

  it.each([
    ["with an event that never ends", EVENT, "x".repeat(100_000), "has an event that is longer than 1,048,576 bytes"],
    ["whose event has lines without end", EVENT, "data: x\n".repeat(10_000), "has an event that is longer"],
    ["that never ends", EVENT, `: ${"x".repeat(100_000)}\n\n`, "is a stream that is longer than 67,108,864 bytes"],
  ])("%s is refused", verifies("inference.answer-limits"), async (_, begin, rest, said) => {
    const { client } = await openClient(endless(begin, rest))
    const error = await failureOf(Array.fromAsync(client.stream(HELLO)))
    expect(error.code).toBe("bad_response")
    expect(error.message).toContain(said)
  })

  it("of many events is read wherever its pieces end", verifies("inference.answer-limits"), async () => {
    const text = Buffer.from(`${EVENT.replaceAll("\n", "\r\n").repeat(20_000)}data: [DONE]\r\n\r\n`)
    const { client } = await openClient((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      for (let at = 0; at < text.length; at += 9973) response.write(text.subarray(at, at + 9973))
      response.end()
    })
    expect(await Array.fromAsync(client.stream(HELLO))).toHaveLength(20_000)
  })
})
