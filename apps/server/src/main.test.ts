import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { verifies } from "@assay/testkit"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { FILES, send, startTestServer } from "./testing/start-test-server.ts"

const MAIN = fileURLToPath(new URL("../dist/bundle/main.js", import.meta.url))

let folder: string
const children: ChildProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-main-"))
})
afterEach(async () => {
  await Promise.all(children.splice(0).map(kill))
  await rm(folder, { recursive: true })
})

function spawnServer(cwd: string, env: Record<string, string> = {}, words: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [MAIN, ...words], {
    cwd,
    env: { PATH: process.env["PATH"], PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
}

function start(env: Record<string, string> = {}, words: readonly string[] = []): ChildProcess {
  const child = spawnServer(folder, env, words)
  children.push(child)
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGKILL")
  await once(child, "close")
}

async function output(child: ChildProcess, until: RegExp): Promise<string> {
  let text = ""
  for await (const part of child.stdout ?? []) {
    text += String(part)
    if (until.test(text)) return text
  }
  throw new Error(`ended without ${String(until)}: ${text}`)
}

function addressIn(said: string): string {
  return /http:\/\/[\d.:]+/.exec(said)?.[0] ?? ""
}

describe("the process of a server", () => {
  let home: string
  let child: ChildProcess
  let said: string
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "assay-main-"))
    child = spawnServer(home)
    said = await output(child, /Ctrl-C/)
  })
  afterAll(async () => {
    await kill(child)
    await rm(home, { recursive: true })
  })

  it(
    "prints its URL, its data folder and three commands to try",
    verifies("start.prints", "settings.free-port"),
    () => {
      expect(said).toMatch(/address\s+http:\/\/127\.0\.0\.1:\d+/)
      expect(said).toContain(`data folder  ${join(home, ".assay")}`)
      expect(said.match(/^ {4}(npm run -s assay --|curl) /gm)).toHaveLength(3)
    },
  )

  it("finishes running requests on SIGTERM and exits with 0", verifies("start.graceful-stop"), async () => {
    const url = addressIn(said)
    await send(url, "POST", `${FILES}/default/filesets`, { json: { name: "slow" } })
    const released = Promise.withResolvers<void>()
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode("first "))
        await released.promise
        controller.enqueue(new TextEncoder().encode("second"))
        controller.close()
      },
    })
    const answer = fetch(`${url}${FILES}/default/filesets/slow/-/a`, {
      method: "PUT",
      body,
      duplex: "half",
    })
    const folderOfSlow = join(home, ".assay/storage/filesets/default/slow")
    await expect.poll(() => readdir(folderOfSlow).catch(() => [])).not.toEqual([])
    child.kill("SIGTERM")
    child.kill("SIGTERM")
    const ended = once(child, "close")
    const isAnswered = () =>
      send(url, "GET", "/health/live").then(
        ({ status }) => status,
        () => "refused",
      )
    await expect.poll(isAnswered).toBe("refused")
    released.resolve()
    expect((await answer).status).toBe(200)
    expect((await ended)[0]).toBe(0)
  })
})

describe("the process of a server after a failure", () => {
  it(
    "has every acknowledged byte after kill -9 during uploads",
    verifies("files.upload.durable", "files.upload.temporary-hidden"),
    async () => {
      const child = start()
      const url = addressIn(await output(child, /Ctrl-C/))
      await send(url, "POST", `${FILES}/default/filesets`, { json: { name: "killed" } })
      const acknowledged: string[] = []
      const writer = async (id: number) => {
        for (let count = 0; ; count += 1) {
          const name = `${id}-${count}`
          const answer = await send(url, "PUT", `${FILES}/default/filesets/killed/-/${name}`, {
            body: name.repeat(1000),
          })
          if (answer.status === 200) acknowledged.push(name)
        }
      }
      const writers = [0, 1, 2, 3].map((id) => writer(id).catch(() => undefined))
      await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(50)
      child.kill("SIGKILL")
      await Promise.all(writers)
      await using again = await startTestServer({ ASSAY_DATA_DIR: join(folder, ".assay") }, folder)
      const { json } = await again.call("GET", `${FILES}/default/filesets/killed/files`)
      const listed = new Map(json.data.map((file: { path: string; sha256: string }) => [file.path, file.sha256]))
      for (const name of acknowledged) expect(listed.get(name)).toMatch(/^[0-9a-f]{64}$/)
      for (const path of listed.keys()) expect(path).toMatch(/^\d-\d+$/)
      const [name = ""] = acknowledged.slice(-1)
      expect((await again.call("GET", `${FILES}/default/filesets/killed/-/${name}`)).text).toBe(name.repeat(1000))
    },
  )

  it("exits with 2 and one message for wrong settings", async () => {
    const child = start({ PORT: "eighty", ASSAY_AUTH: "maybe" })
    let complaint = ""
    child.stderr?.on("data", (part) => (complaint += String(part)))
    const [code] = await once(child, "close")
    expect(code).toBe(2)
    expect(complaint).toContain("PORT 'eighty'")
    expect(complaint).toContain("ASSAY_AUTH 'maybe'")
  })

  it("says that the port of its words is in use, and nothing else", async () => {
    await using server = await startTestServer()
    const { port } = new URL(server.url)
    const child = start({}, ["--port", port])
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part) => (output += String(part)))
    await once(child, "close")
    expect(output).toContain(`Port ${port} of 127.0.0.1 is in use`)
    expect(output).not.toContain("failed")
  })
})
