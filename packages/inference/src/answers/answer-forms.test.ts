import type { RequestListener } from "node:http"
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import { verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { openScriptedClient } from "../testing/open-scripted-client.ts"
import { failureOf, HELLO } from "../testing/open-test-client.ts"

const DONE = { choices: [{ index: 0, message: { role: "assistant", content: "Paris" }, finish_reason: "stop" }] }
const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const delta = (content: string, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason }],
})
const STREAM = `${event(delta("Pa"))}${event(delta("ris", "stop"))}data: [DONE]\n\n`

const sending =
  (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}, status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(body)

/** Sends `ping` again and again, and never ends. */
const staysOpen =
  (body: string, ping?: string): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(body)
    if (ping === undefined) return
    const timer = setInterval(() => response.write(ping), 200)
    response.on("close", () => clearInterval(timer))
  }

const CODINGS = [
  ["gzip", gzipSync],
  ["GZIP", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
  ["gzip, br", (bytes: string) => brotliCompressSync(gzipSync(bytes))],
] as const

describe("an answer that is compressed", () => {
  it.each(CODINGS)("with %s is read, whole and streamed", verifies("inference.encoded"), async (encoding, encode) => {
    const headers = { "content-encoding": encoding }
    const whole = await openScriptedClient(sending(encode(JSON.stringify(DONE)), headers))
    expect(await whole.client.complete(HELLO)).toMatchObject({ text: "Paris" })
    const streamed = await openScriptedClient(sending(encode(STREAM), headers))
    expect(await textOf(streamed.client.stream(HELLO))).toBe("Paris")
  })

  it("is read piece by piece while it streams", verifies("inference.encoded"), async () => {
    const { createGzip, constants } = await import("node:zlib")
    let finish = () => {}
    const { client } = await openScriptedClient((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" })
      const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH })
      gzip.pipe(response)
      gzip.write(event(delta("Pa")))
      finish = () => void gzip.end(event(delta("ris", "stop")))
    })
    let text = ""
    for await (const chunk of client.stream(HELLO)) {
      text += contentOf(chunk)
      if (text === "Pa") finish()
    }
    expect(text).toBe("Paris")
  })

  it("fails in its own words if it is an error", verifies("inference.encoded"), async () => {
    const body = gzipSync(JSON.stringify({ error: { message: "Incorrect API key provided" } }))
    const { client } = await openScriptedClient(sending(body, { "content-encoding": "gzip" }, 401))
    const calls = [() => client.complete(HELLO), () => textOf(client.stream(HELLO)), () => client.listModels()]
    for (const call of calls) {
      const { code, message } = await failureOf(call())
      expect([code, message]).toEqual(["inference_unauthorized", expect.stringContaining("Incorrect API key")])
    }
  })

  it("with an unknown coding fails without showing its bytes", verifies("inference.encoded"), async () => {
    const { client } = await openScriptedClient(sending(gzipSync("{}"), { "content-encoding": "snappy" }), {
      maxRetries: 0,
    })
    const { code, message } = await failureOf(client.complete(HELLO))
    expect([code, message]).toEqual(["bad_response", expect.stringContaining("is encoded with 'snappy', which can't")])
  })

  it("without saying so fails without showing its bytes", async () => {
    const { client } = await openScriptedClient(sending(gzipSync("{}")), { maxRetries: 0 })
    expect((await failureOf(client.complete(HELLO))).message).toContain("with bytes that are not text")
  })
})

describe("a stream of an unusual form", () => {
  it.each([
    ["with an empty event", `data: \n\ndata:\n\n${STREAM}`],
    ["with comments", `: ping\n\n${STREAM}`],
    ["with lines that end in CR", STREAM.replaceAll("\n", "\r")],
    ["without the last empty line", `${event(delta("Pa"))}${event(delta("ris", "stop")).trimEnd()}`],
    ["with message instead of delta", event(wholeMessage("Pa", null)) + event(wholeMessage("ris", "stop"))],
    ["with the whole message after its deltas", event(delta("Paris")) + event(wholeMessage("Paris", "stop"))],
    ["that is a whole completion", JSON.stringify(DONE)],
    ["that is a whole completion after white space", `\n\n  ${JSON.stringify(DONE)}`],
  ])("%s is read", verifies("inference.stream-forms"), async (_, body) => {
    const { client } = await openScriptedClient(sending(body, { "content-type": "text/event-stream" }))
    expect(await textOf(client.stream(HELLO))).toBe("Paris")
  })

  it(
    "that breaks off is no answer if its chunks have an empty finish_reason",
    verifies("inference.stream-forms"),
    async () => {
      for (const reason of ["", "null"]) {
        const body = event(delta("Pa", reason)) + event(delta("ris", reason))
        const headers = { "content-type": "text/event-stream" }
        const { client } = await openScriptedClient(sending(body, headers), { maxRetries: 0 })
        expect((await failureOf(client.complete(HELLO))).message).toContain("ended before the answer was complete")
        await expect(textOf(client.stream(HELLO))).rejects.toThrow("ended before the answer was complete")
      }
    },
  )

  it("is read to its end if more follows an early finish_reason", verifies("inference.stream-forms"), async () => {
    const late = [delta("Pa", "stop"), delta("r"), delta("is"), delta("", "stop")].map(event)
    const { client } = await openScriptedClient((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(late.slice(0, 2).join(""))
      setTimeout(() => void response.end(late.slice(2).join("")), 2300)
    })
    expect(await textOf(client.stream(HELLO))).toBe("Paris")
  })

  it("has the call of a function that comes in pieces", verifies("inference.stream-forms"), async () => {
    const called = (function_call: object, finish_reason: string | null = null) =>
      event({ choices: [{ index: 0, delta: { function_call }, finish_reason }] })
    const body =
      called({ name: "f", arguments: "" }) + called({ arguments: '{"a"' }) + called({ arguments: ":1}" }, "stop")
    const { client } = await openScriptedClient(sending(body, { "content-type": "text/event-stream" }))
    const { toolCalls } = await client.complete(HELLO)
    expect(toolCalls).toEqual([{ type: "function", function: { name: "f", arguments: '{"a":1}' } }])
  })

  it("that stays open after its end is over within 5 seconds", verifies("inference.stream-forms"), async () => {
    const end = event(delta("Paris", "stop"))
    const read = async (body: string, ping?: string) => {
      const { client } = await openScriptedClient(staysOpen(body, ping), { timeoutMs: 60_000 })
      const started = performance.now()
      return [await textOf(client.stream(HELLO)), performance.now() - started < 5000]
    }
    const all = await Promise.all([
      read(end),
      read(STREAM),
      read(end, ": ping\n\n"),
      read(end, "data: \n\n"),
      read(end, end),
    ])
    expect(all.slice(0, 4)).toEqual(all.slice(0, 4).map(() => ["Paris", true]))
    expect(all[4]?.[1]).toBe(true)
  })

  it("is read until all of its choices are finished", verifies("inference.stream-forms"), async () => {
    const other = { choices: [{ index: 1, delta: { content: "Lima" }, finish_reason: "stop" }] }
    const begun = { choices: [{ index: 1, delta: { content: "" }, finish_reason: null }] }
    let finish = () => {}
    const { client } = await openScriptedClient((_, response) => {
      response.writeHead(200).write(event(begun) + event(delta("Paris", "stop")))
      finish = () => void response.end(event(other))
    })
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    onTestFinished(() => void vi.useRealTimers())
    const chunks: unknown[] = []
    for await (const chunk of client.stream(HELLO)) {
      if (chunks.push(chunk) !== 2) continue
      // No time runs between the first and the last finish_reason.
      setImmediate(() => void vi.advanceTimersByTimeAsync(4000).then(finish))
    }
    expect(chunks.at(-1)).toEqual(other)
  })
})

describe("an answer that begins with a byte order mark", () => {
  it("is read, whole and streamed", verifies("inference.lenient"), async () => {
    const { client } = await openScriptedClient(sending(`\uFEFF${JSON.stringify(DONE)}`))
    expect(await client.complete(HELLO)).toMatchObject({ text: "Paris" })
    expect(await textOf(client.stream(HELLO))).toBe("Paris")
    const streaming = await openScriptedClient(sending(`\uFEFF${STREAM}`))
    expect(await streaming.client.complete(HELLO)).toMatchObject({ text: "Paris" })
  })
})

describe("a stream that was not requested", () => {
  it("is joined to a completion", verifies("inference.stream-forms"), async () => {
    const called = (piece: object) => ({ choices: [{ index: 0, delta: { tool_calls: [piece] } }] })
    const body = [
      event(delta("Pa")),
      event(called({ index: 0, id: "a", type: "function", function: { name: "f", arguments: '{"x"' } })),
      event(called({ index: 0, function: { arguments: ":1}" } })),
      event(delta("ris", "stop")),
      event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } }),
      "data: [DONE]\n\n",
    ]
    const { client } = await openScriptedClient(sending(body.join(""), { "content-type": "text/event-stream" }))
    expect(await client.complete(HELLO)).toMatchObject({
      text: "Paris",
      finishReason: "stop",
      usage: { total_tokens: 5 },
      toolCalls: [{ id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } }],
    })
  })

  it("is joined if its content is lists of parts", verifies("inference.stream-forms"), async () => {
    const part = (text: string, type = "text") =>
      event({
        choices: [{ index: 0, delta: { content: [type === "text" ? { type, text } : { type, thinking: text }] } }],
      })
    const body = part("No, ", "thinking") + part("Lima", "thinking") + part("Pa") + part("ris") + "data: [DONE]\n\n"
    const { client } = await openScriptedClient(sending(body, { "content-type": "text/event-stream" }))
    expect(await client.complete(HELLO)).toMatchObject({ text: "Paris", reasoning: "No, Lima" })
  })

  it("fails if it has no chunk", async () => {
    const { client } = await openScriptedClient(sending("data: [DONE]\n\n"), { maxRetries: 0 })
    expect(await failureOf(client.complete(HELLO))).toMatchObject({ code: "bad_response" })
  })
})

describe("a status of a gateway", () => {
  it.each([
    [520, "inference_unreachable"],
    [521, "inference_unreachable"],
    [522, "inference_unreachable"],
    [523, "inference_unreachable"],
    [524, "request_timeout"],
    [530, "inference_unreachable"],
  ])("%i is named %s, and requested again", async (status, code) => {
    const plain = { "content-type": "text/plain" }
    const { client, count } = await openScriptedClient(sending(`error code: ${status}`, plain, status), {
      maxRetries: 1,
    })
    expect(await failureOf(client.complete(HELLO))).toMatchObject({ code })
    expect(count()).toBe(2)
  })

  it("with an HTML page names the gateway", async () => {
    const { client } = await openScriptedClient(sending("<!DOCTYPE html><html>", {}, 522), { maxRetries: 0 })
    expect(await failureOf(client.complete(HELLO))).toMatchObject({ code: "inference_unreachable" })
  })
})

function wholeMessage(content: string, finish_reason: string | null) {
  return { choices: [{ index: 0, message: { role: "assistant", content }, finish_reason }] }
}

function contentOf(chunk: Readonly<Record<string, unknown>>): string {
  const { choices } = chunk as { choices?: readonly { delta?: { content?: string } }[] }
  return choices?.[0]?.delta?.content ?? ""
}

async function textOf(chunks: AsyncIterable<Readonly<Record<string, unknown>>>): Promise<string> {
  let text = ""
  for await (const chunk of chunks) text += contentOf(chunk)
  return text
}
