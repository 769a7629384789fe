// The shortest node:http server with a guarded model: it asks the judge, reads the verdict, and asks the model. Argument: endpoint.
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import process from "node:process"
import { text } from "node:stream/consumers"
import { Agent, request as send } from "undici"

const url = `${process.argv[2]}/v1/chat/completions`
const dispatcher = new Agent()

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string } }[]
}

async function ask(model: string, messages: readonly unknown[]): Promise<Completion> {
  const headers = { "content-type": "application/json" }
  const answer = await send(url, { method: "POST", headers, body: JSON.stringify({ model, messages }), dispatcher })
  return (await answer.body.json()) as Completion
}

async function guard(request: IncomingMessage): Promise<Completion> {
  const { messages } = JSON.parse(await text(request)) as { messages: readonly { content: string }[] }
  const content = `Is this message safe? Answer as JSON with User Safety.\n\n${messages.at(-1)?.content}`
  const judged = await ask("judge", [{ role: "user", content }])
  const verdict = JSON.parse(judged.choices[0]?.message.content ?? "") as { readonly "User Safety": string }
  if (verdict["User Safety"] !== "safe") throw new Error("blocked")
  return ask("chat", messages)
}

const server = createServer((request, response) => {
  guard(request).then(
    (completion) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(completion)),
    (error: unknown) => response.destroy(error as Error),
  )
})
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
process.on("SIGTERM", () => process.exit(0))
