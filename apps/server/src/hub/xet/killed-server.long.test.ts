import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { verifies, xetBodies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServerProcess, type ServerProcess } from "../../testing/start-server-process.ts"

import { HUB_PREFIX } from "../hub-address.ts"

let folder: string
let server: ServerProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "xet-killed-"))
  server = await startServerProcess(folder)
})
afterAll(async () => {
  await server.kill()
  await rm(folder, { recursive: true })
})

async function killed(): Promise<void> {
  await server.kill()
  server = await startServerProcess(folder)
}

async function call(method: string, path: string, body?: Uint8Array | string, headers: Record<string, string> = {}) {
  const url = path.startsWith("http") ? path : `${server.url}${HUB_PREFIX}${path}`
  const sent = typeof body === "object" ? new Uint8Array(body) : body
  const answer = await fetch(url, { method, headers, ...(sent === undefined ? {} : { body: sent }) })
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** Sends a part of an upload in chunks with a new token, as a client does that goes on later. */
async function send(path: string, body: Buffer): Promise<number> {
  const { bytes } = await call("GET", "/api/models/default/kept/xet-write-token/main")
  const { casUrl, accessToken } = JSON.parse(bytes.toString()) as { casUrl: string; accessToken: string }
  return (await call("POST", `${casUrl}${path}`, body, { authorization: `Bearer ${accessToken}` })).status
}

it(
  "An upload in chunks goes on after the server was killed between any of its steps",
  // The server starts six times.
  { ...verifies("hub.xet-kept"), timeout: 240_000 },
  async () => {
    const bytes = randomBytes(8_000_000)
    const { xorb, xorbHash, shard, sha256, size } = xetBodies(bytes)
    const create = JSON.stringify({ name: "kept", organization: "default" })
    await call("POST", "/api/repos/create", create, { "content-type": "application/json" })
    // A request that the kill breaks off leaves nothing behind that hinders the next one.
    const broken = send(`/v1/xorbs/default/${xorbHash}`, xorb).catch(() => 0)
    await setTimeout(50)
    await killed()
    await broken
    expect(await send(`/v1/xorbs/default/${xorbHash}`, xorb)).toBe(200)
    await killed()
    expect(await send("/v1/shards", shard)).toBe(200)
    await killed()
    const lines = [
      { key: "header", value: { summary: "Add" } },
      { key: "lfsFile", value: { path: "kept.bin", algo: "sha256", oid: sha256, size } },
    ]
    const commit = () =>
      call("POST", "/api/models/default/kept/commit/main", lines.map((line) => JSON.stringify(line)).join("\n"))
    const cut = commit().catch(() => undefined)
    await setTimeout(60)
    await killed()
    await cut
    expect((await commit()).status).toBe(200)
    await killed()
    const read = await call("GET", "/default/kept/resolve/main/kept.bin")
    expect(read.bytes.equals(bytes)).toBe(true)
    // The chunks of the file are still known.
    expect(await send("/v1/shards", shard)).toBe(200)
  },
)
