import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"
import type { InferenceDefaults } from "../create-inference-client.ts"
import type { InferenceContext } from "../inference-context.ts"
import { createTestClient } from "./open-test-client.ts"

interface Options extends InferenceDefaults {
  readonly context?: Partial<InferenceContext>
}

/** Opens a client of a server that answers each request with the given function. Both are closed with the test. */
export async function openScriptedClient(answer: RequestListener, { context, ...defaults }: Options = {}) {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    request.resume()
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/v1`
  const { client, waits } = createTestClient({ url, model: "chat" }, defaults, context)
  return { client, waits, count: () => requests }
}
