import { createTransport, openStorage, STORAGE_CAPABILITIES } from "@assay/storage"
import { describeStorageContract } from "@assay/storage/testing"
import { Agent } from "undici"
import { afterAll, beforeAll } from "vitest"
import { sleep } from "../sleep.ts"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"
import { HUB_PREFIX } from "./hub-address.ts"

const READ_CHUNK_SIZE = 4000
const PARALLEL = 16

let server: TestServer
let agent: Agent
let count = 0
beforeAll(async () => {
  server = await startTestServer()
  agent = new Agent()
})
afterAll(async () => {
  await agent.destroy()
  await server[Symbol.asyncDispose]()
})

/** Creates a fileset with these files. */
async function makeFileset(files: Readonly<Record<string, Uint8Array>>): Promise<string> {
  const name = `subject-${(count += 1)}`
  await server.call("POST", `${FILES}/default/filesets`, { json: { name, purpose: "model" } })
  const waiting = Object.entries(files)
  const put = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [path, body] = next
      const encoded = path.split("/").map(encodeURIComponent).join("/")
      await server.call("PUT", `${FILES}/default/filesets/${name}/-/${encoded}`, { body })
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, put))
  return name
}

describeStorageContract("the hub adapter on a server of ours", {
  capabilities: STORAGE_CAPABILITIES.hub,
  async open(files) {
    const repo_id = `default/${await makeFileset(files)}`
    const endpoint = server.url + HUB_PREFIX
    const remote = {
      transport: createTransport({ dispatcher: agent }),
      now: Date.now,
      random: Math.random,
      sleep,
      workspace: "default",
      resolveSecret: async () => "",
    }
    const { storage } = await openStorage(
      { type: "hub", repo_id, endpoint, read_chunk_size: READ_CHUNK_SIZE },
      { remote },
    )
    return { storage, readChunkSize: READ_CHUNK_SIZE, close: async () => {} }
  },
})
