// An endpoint of chat completions that answers at once or after a delay: the model `judge` with a verdict,
// others with a sentence. Argument: milliseconds, or `first` to answer at once and return the time of the first question on GET.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"

const latencyMs = Number(process.argv[2] ?? "0") || 0
let firstAt: number | undefined

function completion(model: string, content: string): string {
  return JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_790_000_000,
    model,
    choices: [{ index: 0, message: { role: "assistant", content }, logprobs: null, finish_reason: "stop" }],
    usage: { prompt_tokens: 60, completion_tokens: 12, total_tokens: 72 },
  })
}

const judged = completion("judge", '{"User Safety": "safe"}')
const spoken = completion("chat", "The capital of France is Paris.")

const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.end(String(firstAt))
    return
  }
  firstAt ??= Date.now()
  let body = ""
  request.setEncoding("utf8")
  request.on("data", (part: string) => (body += part))
  request.on("end", () => {
    const answer = body.includes('"model":"judge"') ? judged : spoken
    const send = () => response.writeHead(200, { "content-type": "application/json" }).end(answer)
    if (latencyMs === 0) send()
    else setTimeout(send, latencyMs)
  })
})
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
