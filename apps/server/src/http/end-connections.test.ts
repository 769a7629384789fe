import { once } from "node:events"
import { Agent, get } from "node:http"
import { connect } from "node:net"
import { setTimeout } from "node:timers/promises"
import { verifies } from "@assay/testkit"
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

it("answers the first request of a connection that was opened while the server closes", async () => {
  const server = await startTestServer()
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  await once(socket, "connect")
  const closed = server[Symbol.asyncDispose]()
  // Longer than clients are asked to leave, so that the server has begun to end connections.
  await setTimeout(700)
  socket.write(`GET /health/live HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  const [said] = await once(socket, "data")
  await closed
  expect(String(said)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(String(said)).toMatch(/\r\nconnection: close\r\n/i)
})

it("resets no request on a connection that a client uses all the time", verifies("start.clients-leave"), async () => {
  const server = await startTestServer()
  const agent = new Agent({ keepAlive: true })
  const ends: { code: string; isReused: boolean }[] = []
  const ask = () =>
    new Promise<boolean>((resolve) => {
      const request = get(`${server.url}/health/live`, { agent }, (response) => {
        response.resume().once("end", () => resolve(true))
      })
      request.once("error", (error: NodeJS.ErrnoException) => {
        ends.push({ code: error.code ?? "", isReused: request.reusedSocket })
        resolve(false)
      })
    })
  const clients = Array.from({ length: 20 }, async (_, index) => {
    while (await ask()) await setTimeout(index % 10)
  })
  await setTimeout(200)
  await server[Symbol.asyncDispose]()
  await Promise.all(clients)
  expect(ends).toHaveLength(20)
  expect(ends.filter(({ isReused }) => isReused)).toEqual([])
})
