import { startLoopbackServer } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { createClient } from "../create-client.ts"

const DATA = { models: [{ type: "main" }], rails: {} }
const CHAT = { messages: [{ role: "user", content: "hi" }], guardrails: { config_id: "g" } }
const base = "/apis/guardrails/v2/workspaces/w"

async function clientOf(answer: string | readonly Buffer[]) {
  const server = await startLoopbackServer(async (_request, response) => {
    for (const piece of [answer].flat()) await new Promise((resolve) => response.write(piece, resolve))
    response.end()
  })
  onTestFinished(() => server.close())
  return { server, guardrails: createClient({ url: server.url, fetch }).guardrails }
}

it("client.guardrails creates, reads, updates and removes configurations, and checks and chats with them", async () => {
  const pagination = { page: 1, page_size: 1000, current_page_size: 1, total_pages: 1, total_results: 1 }
  const { server, guardrails } = await clientOf(
    JSON.stringify({ name: "g", data: [{ name: "of the page" }], pagination }),
  )
  await guardrails.create("w", { name: "g", data: DATA })
  expect(await Array.fromAsync(guardrails.list("w"))).toEqual([{ name: "of the page" }])
  expect((await guardrails.page("w", { page: 2 })).data).toHaveLength(1)
  expect(await guardrails.get("w", "g")).toMatchObject({ name: "g" })
  await guardrails.update("w", "g", { description: "d" })
  await guardrails.remove("w", "g")
  await guardrails.check("w", CHAT)
  await guardrails.chat("w", CHAT)
  expect(server.requests.map(({ method, url, body }) => `${method} ${url} ${body.toString()}`)).toEqual([
    `POST ${base}/configs ${JSON.stringify({ name: "g", data: DATA })}`,
    `GET ${base}/configs?page=1&page_size=1000 `,
    `GET ${base}/configs?page=2 `,
    `GET ${base}/configs/g `,
    `PATCH ${base}/configs/g {"description":"d"}`,
    `DELETE ${base}/configs/g `,
    `POST ${base}/checks ${JSON.stringify(CHAT)}`,
    `POST ${base}/chat/completions ${JSON.stringify({ ...CHAT, stream: false })}`,
  ])
})

it("client.guardrails.streamChat reads the chunks of a stream wherever its pieces end", async () => {
  const text = 'data: {"n":"ä"}\r\n\r\n: a comment\n\ndata: {"n":\ndata: 2}\n\ndata: [DONE]\n\n'
  const { server, guardrails } = await clientOf(Array.from(Buffer.from(text), (byte) => Buffer.of(byte)))
  expect(await Array.fromAsync(guardrails.streamChat("w", CHAT))).toEqual([{ n: "ä" }, { n: 2 }])
  expect(JSON.parse(String(server.requests[0]?.body))).toEqual({ ...CHAT, stream: true })
})

it.each([
  ['data: {"error":{"code":"rate_limited","message":"Slow down."}}\n\n', "rate_limited", "Slow down."],
  ['data: {"error":{"code":"odd","message":"No."}}\n\n', "bad_answer", "No."],
  ['data: {"n":1}\n\n', "bad_answer", /breaks off before its end/],
  ["data: no\n\n", "bad_answer", /'no' as an event/],
  ["data: 1\n\n", "bad_answer", /'1' as an event/],
])("client.guardrails.streamChat throws the error at the end of the stream %j", async (answer, code, message) => {
  const { guardrails } = await clientOf(answer)
  const reading = Array.fromAsync(guardrails.streamChat("w", CHAT))
  await expect(reading).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
})
