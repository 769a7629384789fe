import { setTimeout } from "node:timers/promises"
import { startFakeHub, type FakeHub } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand, type RunOptions } from "../../testing/run-command.ts"
import { startServer, type TestServer } from "../../testing/start-server.ts"

const FILES = { a: Buffer.alloc(3000), b: Buffer.alloc(3000, 1), c: Buffer.alloc(20_000, 2) }

let hub: FakeHub
let server: TestServer
beforeAll(async () => {
  hub = await startFakeHub({
    repositories: [
      { id: "team/set", files: { a: FILES.a, b: FILES.b } },
      { id: "team/large", files: FILES },
    ],
  })
  server = await startServer({ ASSAY_ALLOWED_HOSTS: "127.0.0.1", ASSAY_CACHE_MAX_BYTES: "10000" })
  for (const name of ["set", "large"]) await create(name, { type: "hub", repo_id: `team/${name}`, endpoint: hub.url })
})
afterAll(async () => {
  await server.stop()
  await hub.close()
})

const assay = (words: readonly string[], options: RunOptions = {}) =>
  runCommand(words, { env: { ASSAY_URL: server.url }, sleep: async () => setTimeout(20), ...options })

async function create(name: string, storage: object): Promise<void> {
  const { stderr, exitCode } = await assay(["fileset", "create", name, "--storage", JSON.stringify(storage)])
  expect([stderr, exitCode]).toEqual(["", 0])
}

describe("assay fileset cache", () => {
  it("caches all files, waits until they are cached, and drops them", async () => {
    const before = await assay(["fileset", "cache", "set", "--status"])
    expect(before.stdout).toBe("default/set  idle: nothing was requested\n")
    const asked = await assay(["fileset", "cache", "set"])
    expect([asked.stdout, asked.exitCode]).toEqual(["default/set  warming: files are being counted\n", 0])
    const waited = await assay(["fileset", "cache", "default/set", "--wait"])
    expect([waited.stdout, waited.stderr, waited.exitCode]).toEqual([
      "default/set  done: 2 of 2 files, 5.9 KiB of 5.9 KiB\n",
      "",
      0,
    ])
    const status = await assay(["fileset", "cache", "set", "--status", "--json"])
    expect(JSON.parse(status.stdout)).toMatchObject({ status: "done", cached_files: 2, cached_bytes: 6000 })
    expect((await assay(["fileset", "cache", "set", "--drop"])).stdout).toBe("default/set  dropped\n")
    expect(JSON.parse((await assay(["fileset", "cache", "set", "--status", "--json"])).stdout).status).toBe("idle")
  })

  it("shows its progress on a terminal", async () => {
    hub.faults.add({ fault: { kind: "latency", ms: 150 } })
    const isTerminal = { stdin: true, stdout: true, stderr: true }
    const { stderr, exitCode } = await assay(["fileset", "cache", "set", "--wait"], { isTerminal })
    hub.faults.clear()
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/\d of \d files?\+? {2}.* of .*\/s/)
  })

  it("ends with exit code 2 and the reason if files are missing at the end", async () => {
    const { stdout, exitCode } = await assay(["fileset", "cache", "large", "--wait"])
    expect(exitCode).toBe(2)
    expect(stdout).toContain("failed: 2 of 3 files, 5.9 KiB of 25.4 KiB. 1 of 3 files are not cached.")
  })

  it("refuses filesets that can't be cached, and options that exclude each other", async () => {
    await assay(["fileset", "create", "near"])
    const refused = await assay(["fileset", "cache", "near"])
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("as fast as the cache")])
    expect((await assay(["fileset", "cache", "set", "--drop", "--wait"])).exitCode).toBe(2)
  })
})
