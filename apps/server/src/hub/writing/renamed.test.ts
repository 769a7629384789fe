import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { FILES, startTestServer } from "../../testing/start-test-server.ts"

const BASE = `${FILES}/default/filesets`

it(
  "A commit that is sent while its repository is renamed changes nothing in a new repository with the old name",
  verifies("hub.commit.renamed"),
  async () => {
    await using server = await startTestServer()
    await server.call("POST", BASE, { json: { name: "before" } })
    await server.call("PUT", `${BASE}/before/-/kept`, { body: "first" })
    const lines = [
      { key: "header", value: { summary: "Change" } },
      { key: "file", value: { path: "new", content: "text" } },
      { key: "deletedFile", value: { path: "kept" } },
    ]
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("")
    const { hostname, port, host } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    const path = "/apis/files/v2/hf/api/datasets/default/before/commit/main"
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    socket.write(body.slice(0, 100))
    // After the response to this later request, the server has looked up the repository of the commit.
    await server.call("GET", `${BASE}/before`)
    await server.call("PATCH", `${BASE}/before`, { json: { name: "after" } })
    await server.call("POST", BASE, { json: { name: "before" } })
    await server.call("PUT", `${BASE}/before/-/kept`, { body: "second" })
    socket.write(body.slice(100))
    expect(await text(socket)).toMatch(/^HTTP\/1.1 404 /)
    const { data } = (await server.call("GET", `${BASE}/before/files`)).json
    expect(data).toMatchObject([{ path: "kept", size: 6 }])
    expect((await server.call("GET", `${BASE}/after/-/kept`)).text).toBe("first")
  },
)
