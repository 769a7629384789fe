import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { verifies } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { chatOf } from "../../testing/guarded-models.ts"
import { guardrailContext } from "../../testing/guardrail-context.ts"
import { openGuardrail } from "../open-guardrail.ts"

/** Contains "secret" in every part of an answer except the text that rails judge. */
const said = {
  role: "assistant",
  content: [
    { type: "reasoning", text: "secret", summary: [{ type: "summary_text", text: "secret" }] },
    { type: "thinking", thinking: [{ type: "text", text: "secret" }] },
    { type: "text", text: "Good." },
    { type: "refusal", refusal: "secret" },
  ],
  reasoning_content: "secret",
  reasoning: "secret",
  refusal: "secret",
  function_call: { name: "secret" },
  audio: { transcript: "secret" },
}
const logprobs = { content: [{ token: "secret", logprob: 0 }] }

async function openLeaky(withRails: boolean) {
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (piece: Buffer) => (body += piece.toString()))
    request.on("end", () => {
      const { model, stream } = JSON.parse(body) as { model: string; stream?: boolean }
      const field = stream === true ? "delta" : "message"
      const own = model === "judge" ? { role: "assistant", content: "no" } : said
      const other = { index: 1, [field]: { ...said, content: "secret" }, finish_reason: "stop" }
      const choices = [{ index: 0, [field]: own, logprobs, text: "secret", finish_reason: "stop" }, other]
      if (stream === true) Object.assign(choices[0] ?? {}, { message: { ...said, content: "secret" } })
      const beside = { output_text: "secret", search_results: [{ snippet: "secret" }] }
      const answer = JSON.stringify({ id: "a", object: "chat.completion", created: 1, model, choices, ...beside })
      response.writeHead(200, { "content-type": stream === true ? "text/event-stream" : "application/json" })
      response.end(stream === true ? `data: ${answer}\n\ndata: [DONE]\n\n` : answer)
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const models = ["main", "judge"].map((name) => ({ type: name, model: name, url }))
  const rails = withRails ? { output: { flows: ["self check output $model=judge"] } } : {}
  const guardrail = await openGuardrail({ models, rails }, guardrailContext())
  onTestFinished(async () => {
    await guardrail.close()
    server.close()
  })
  return guardrail
}

it.each([
  [true, "keeps back what output rails do not judge"],
  [false, "passes answers on as they came without output rails"],
])("guarded chat with output rails %j %s", verifies("rails.chat"), async (withRails) => {
  const guardrail = await openLeaky(withRails)
  const { body } = await guardrail.complete(chatOf("hello"))
  const chunks = await Array.fromAsync(guardrail.stream(chatOf("hello")))
  for (const answer of [body, chunks]) {
    expect(JSON.stringify(answer)).toContain("Good.")
    expect(JSON.stringify(answer).includes("secret")).toBe(!withRails)
  }
})
