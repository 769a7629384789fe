import { once } from "node:events"
import { connect } from "node:net"
import { expect, it } from "vitest"
import { startTestServer } from "../testing/start-test-server.ts"

it("A server can close while a client holds a connection that it has not used", async () => {
  const server = await startTestServer()
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  await once(socket, "connect")
  const closed = once(socket, "close")
  await server[Symbol.asyncDispose]()
  await closed
  expect(socket.bytesWritten).toBe(0)
})
