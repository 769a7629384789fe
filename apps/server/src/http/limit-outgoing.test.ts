import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { EVALUATION } from "../testing/evaluation-bodies.ts"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const MIB = 1_048_576
const filesets = `${FILES}/default/filesets`
const targets = `${EVALUATION}/targets`
/** A record whose response has 12 MiB. */
const LARGE = {
  namespace: "default",
  name: "large",
  type: "rows",
  rows: [{ text: "x".repeat(12 * MIB) }],
}

/** Sends a request, and does not read its response, which has begun. The system still buffers some of it. */
async function askAndStall(url: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  await once(socket, "connect")
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
  // A socket that is waited for in this way buffers little, and does not read on.
  await once(socket, "readable")
  return socket
}

const healthOf = async (server: TestServer) => (await server.call("GET", "/health/live")).status

describe("responses that clients do not read", () => {
  it("are refused with 503 above the limit, but small ones are still sent", verifies("limits.outgoing"), async () => {
    await using server = await startTestServer({ ASSAY_MAX_OUTGOING_BYTES: String(24 * MIB) })
    expect((await server.call("POST", targets, { json: LARGE })).status).toBe(201)
    const stalled = await Promise.all([1, 2].map(() => askAndStall(server.url, `${targets}/default/large`)))
    const status = async () => (await server.call("GET", `${targets}/default/large`)).status
    await expect.poll(status).toBe(503)
    const refused = await server.call("GET", `${targets}/default/large`)
    expect([refused.json.code, refused.headers["retry-after"]]).toEqual(["unavailable", "5"])
    expect(refused.json.detail).toContain("ASSAY_MAX_OUTGOING_BYTES")
    expect(await healthOf(server)).toBe(200)
    for (const socket of stalled) socket.destroy()
    await expect.poll(status).toBe(200)
  })

  it(
    "are counted by pieces for files, and refused without the header fields of the file",
    verifies("limits.outgoing"),
    async () => {
      await using server = await startTestServer({ ASSAY_MAX_OUTGOING_BYTES: String(5 * MIB) })
      await server.call("POST", filesets, { json: { name: "files" } })
      await server.call("PUT", `${filesets}/files/-/large.bin`, { body: Buffer.alloc(32 * MIB, 7) })
      await server.call("PUT", `${filesets}/files/-/small.txt`, { body: "small" })
      const path = `${filesets}/files/-/large.bin`
      // Each response holds one piece of 1 MiB and one that is read ahead.
      const stalled = await Promise.all([1, 2].map(() => askAndStall(server.url, path)))
      const headers = { range: `bytes=0-${8 * MIB}` }
      await expect.poll(async () => (await server.call("GET", path, { headers })).status).toBe(503)
      const refused = await server.call("GET", path, { headers })
      expect(refused.json.code).toBe("unavailable")
      expect(refused.headers).not.toHaveProperty("etag")
      expect(refused.headers).not.toHaveProperty("content-range")
      expect((await server.call("GET", `${filesets}/files/-/small.txt`)).text).toBe("small")
      expect((await server.call("PUT", `${filesets}/files/-/b.txt`, { body: "written" })).status).toBe(200)
      for (const socket of stalled) socket.destroy()
      await expect.poll(async () => (await server.call("GET", path)).bytes.length).toBe(32 * MIB)
    },
  )

  it(
    "of completed writes are still sent, and writes with JSON are refused before they begin",
    verifies("limits.outgoing"),
    async () => {
      await using server = await startTestServer({ ASSAY_MAX_OUTGOING_BYTES: String(MIB) })
      // The response is above the limit, but the write is stored and the client gets the response.
      expect((await server.call("POST", targets, { json: LARGE })).status).toBe(201)
      const stalled = await askAndStall(server.url, `${targets}/default/large`)
      const write = () => server.call("POST", filesets, { json: { name: `new-${Math.random()}` } })
      await expect.poll(async () => (await write()).status).toBe(503)
      const count = async () => (await server.call("GET", `${filesets}?page_size=1`)).json.pagination?.total_results
      const before = await count()
      expect((await write()).json.code).toBe("unavailable")
      stalled.destroy()
      await expect.poll(count).toBe(before)
      expect((await write()).status).toBe(200)
    },
  )
})
