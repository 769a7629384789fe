import { startLoopbackServer } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { createClient } from "../create-client.ts"

it("client.caches reads the state of the cache of a fileset, warms it and drops it", async () => {
  const answer = { status: "idle", files: null, cached_files: 0, bytes: null, cached_bytes: 0, error: null }
  const server = await startLoopbackServer(({ method }, response) => {
    response.writeHead(method === "POST" ? 202 : 200).end(JSON.stringify(answer))
  })
  onTestFinished(() => server.close())
  const { caches } = createClient({ url: server.url, fetch })
  expect(await caches.get("w", "f")).toEqual(answer)
  expect(await caches.warm("w", "f")).toEqual(answer)
  expect(await caches.drop("w", "f")).toEqual(answer)
  expect(server.requests.map(({ method, url, body }) => `${method} ${url} ${body.toString()}`)).toEqual([
    "GET /apis/files/v2/workspaces/w/filesets/f/cache ",
    "POST /apis/files/v2/workspaces/w/filesets/f/cache ",
    "DELETE /apis/files/v2/workspaces/w/filesets/f/cache ",
  ])
})
