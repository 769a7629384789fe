// An endpoint of chat completions that calls a tool before each answer. Argument: milliseconds of an answer.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"

const latencyMs = Number(process.argv[2] ?? "0") || 0

function completion(message: object, finish_reason: string): string {
  return JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_790_000_000,
    model: "agent",
    choices: [{ index: 0, message: { role: "assistant", ...message }, logprobs: null, finish_reason }],
    usage: { prompt_tokens: 60, completion_tokens: 12, total_tokens: 72 },
  })
}

const call = { id: "call_1", type: "function", function: { name: "get_order", arguments: '{"id":"A1"}' } }
const called = completion({ content: null, tool_calls: [call] }, "tool_calls")
const spoken = completion({ content: "The order is shipped." }, "stop")

const server = createServer((request, response) => {
  let body = ""
  request.setEncoding("utf8")
  request.on("data", (part: string) => (body += part))
  request.on("end", () => {
    // After the answer of a tool it speaks. A request without tools is that of a launch check.
    const isTold = body.lastIndexOf('"role":"tool"') > body.lastIndexOf('"role":"user"')
    const answer = isTold || !body.includes('"tools"') ? spoken : called
    const send = () => response.writeHead(200, { "content-type": "application/json" }).end(answer)
    if (latencyMs === 0) send()
    else setTimeout(send, latencyMs)
  })
})
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
