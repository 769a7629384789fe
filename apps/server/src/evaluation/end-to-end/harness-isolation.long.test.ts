import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { EVALUATION } from "../../testing/evaluation-bodies.ts"
import { untilJob } from "../../testing/evaluation-launch.ts"
import { startServerProcess, type ServerProcess } from "../../testing/start-server-process.ts"
import { send, startTestServer } from "../../testing/start-test-server.ts"

const KEYS = `local:${Buffer.alloc(32, 7).toString("base64")}`
/** Whether this machine supports namespaces, tested without our code. */
const isSandboxPossible =
  spawnSync("/usr/bin/bwrap", ["--ro-bind", "/", "/", "--unshare-net", "--proc", "/proc", "/bin/true"]).status === 0 ||
  spawnSync("unshare", ["--map-root-user", "--mount", "--pid", "--net", "--fork", "/bin/true"]).status === 0

let folder: string
const processes: ServerProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-isolation-"))
})
afterEach(async () => {
  for (const one of processes.splice(0)) await one.kill()
  await rm(folder, { recursive: true })
})

async function start(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const one = await startServerProcess(folder, { ASSAY_HARNESS_ENVIRONMENT: "{}", ...env })
  processes.push(one)
  return one
}

async function launch(url: string, harness: object): Promise<string> {
  const json = { target: { type: "rows", rows: [] }, config: { type: "benchmark", harness } }
  const launched = await send(url, "POST", `${EVALUATION}/jobs?skip_validation_checks=1`, { json })
  expect(launched.status).toBe(201)
  return launched.json.id
}

/** Returns the leader of the processes of the running harness. */
async function leaderOf(id: string): Promise<number> {
  const harness = join(folder, ".assay", "evaluation", "jobs", id, "harness")
  for (;;) {
    for (const attempt of await readdir(harness).catch(() => [])) {
      const text = await readFile(join(harness, attempt, "attempt.json"), "utf8").catch(() => "{}")
      const pid = JSON.parse(text).leader?.pid
      if (pid !== undefined) return pid
    }
    await setTimeout(5)
  }
}

async function isGone(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  return stat === "" || /\) [ZX]/.test(stat)
}

async function untilGone(pid: number): Promise<void> {
  while (!(await isGone(pid))) await setTimeout(5)
}

const SPY = `
  cat /proc/$PPID/environ /proc/*/environ | tr '\\0' ' '
  cat $DATA/encryption-keys $DATA/registry.db ../../../../../../encryption-keys 2>&1 | head -c 1000
  ls -a "$DATA" /root /home .. 2>&1
  (: </dev/tcp/127.0.0.1/$PORT) 2>&1
  echo spoilt >"$DATA/spoilt" ; echo spoilt >/usr/spoilt
  ln -s "$DATA/encryption-keys" link.json
  echo '{"t":{"m":{"s":1}}}' >results.json`

describe.runIf(isSandboxPossible)("a server with the default isolation", () => {
  it("runs a hostile harness that finds no key, no data and no server", verifies("harness.sandbox"), async () => {
    const data = join(folder, ".assay")
    const server = await start({ ASSAY_ENCRYPTION_KEYS: KEYS })
    await writeFile(join(data, "encryption-keys"), KEYS)
    const port = new URL(server.url).port
    const id = await launch(server.url, {
      command: ["/bin/bash", "-c", SPY],
      environment: { DATA: data, PORT: port },
    })
    const job = await untilJob(server.url, id, ["COMPLETED", "FAILED"])
    expect(job.status).toBe("COMPLETED")
    const { text: log } = await send(server.url, "GET", `${EVALUATION}/jobs/${id}/logs?format=text`)
    expect(log).toContain("in a sandbox")
    expect(log).toContain("HOME=/harness")
    expect(log).not.toContain(KEYS.slice(10, 40))
    expect(log).toMatch(/dev\/tcp\/127.0.0.1\/\d+: Connection refused|connect: Connection refused/)
    expect(log).toMatch(new RegExp(`${data}/spoilt: (No such file|Read-only)`))
    expect(await readdir(data)).not.toContain("spoilt")
  })

  it("does not read scores of a harness through a link", verifies("harness.results"), async () => {
    await using server = await startTestServer({ ASSAY_HARNESS_ENVIRONMENT: "{}" }, folder)
    const id = await launch(server.url, { command: ["/bin/ln", "-s", "/proc/1/environ", "results.json"] })
    const job = await untilJob(server.url, id, ["COMPLETED", "FAILED"])
    expect(job.status_details.message).toContain("'results.json' is a link")
  })

  it("leaves no harness when it is killed", verifies("harness.attempts"), async () => {
    const server = await start({})
    const id = await launch(server.url, { command: ["/bin/sleep", "1000"] })
    const leader = await leaderOf(id)
    await server.kill()
    await untilGone(leader)
  })
})

describe("a server that trusts its harnesses", () => {
  it(
    "reads scores only of the present attempt, and leaves no other attempt running",
    verifies("harness.attempts"),
    async () => {
      let attempts = 0
      let first = 0
      let wasFirstGone = false
      const begun = Promise.withResolvers<void>()
      const held: ServerResponse[] = []
      const serve = async (url: string, response: ServerResponse) => {
        const { pathname, searchParams } = new URL(url, "http://gate")
        if (pathname === "/begin") {
          attempts += 1
          if (attempts === 1) {
            first = Number(searchParams.get("pid"))
            begun.resolve()
            held.push(response)
          } else {
            wasFirstGone = await isGone(first)
            response.end()
          }
          return
        }
        // The second attempt has written. The first one, if it still runs, may write before the second ends.
        for (const one of held) one.end()
        await untilGone(first)
        response.end()
      }
      await using gate = createServer((request, response) => void serve(request.url ?? "/", response)).listen(
        0,
        "127.0.0.1",
      )
      await once(gate, "listening")
      const address = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`
      const script = `
      const begun = await fetch("${address}/begin?pid=" + process.pid)
      await begun.text()
      const { existsSync, readFileSync, writeFileSync } = await import("node:fs")
      const isFirst = existsSync("${folder}/first") && readFileSync("${folder}/first", "utf8") === String(process.pid)
      const write = (score) => writeFileSync(process.env.ASSAY_RESULTS, JSON.stringify({ t: { m: { s: score } } }))
      if (isFirst) write(0.99)
      else { write(0.25); await (await fetch("${address}/written")).text() }`
      const trusted = { ASSAY_HARNESS_ISOLATION: "trusted" }
      const killed = await start(trusted)
      const id = await launch(killed.url, { command: [process.execPath, "--input-type=module", "-e", script] })
      await begun.promise
      await writeFile(join(folder, "first"), String(first))
      await killed.kill()
      const env = { ...trusted, ASSAY_HARNESS_ENVIRONMENT: "{}", ASSAY_DATA_DIR: join(folder, ".assay") }
      await using next = await startTestServer(env, folder)
      const job = await untilJob(next.url, id, ["COMPLETED", "FAILED"])
      expect(job.status).toBe("COMPLETED")
      const { json } = await send(next.url, "GET", `${EVALUATION}/jobs/${id}/results`)
      expect(json.tasks.t.metrics.m.scores.s.value).toBe(0.25)
      expect([attempts, wasFirstGone]).toEqual([2, true])
    },
  )

  it("logs a warning, and does not start with keys in its environment", verifies("harness.trusted"), async () => {
    const env = { ASSAY_HARNESS_ENVIRONMENT: "{}", ASSAY_HARNESS_ISOLATION: "trusted" }
    await expect(startTestServer({ ...env, ASSAY_ENCRYPTION_KEYS: KEYS })).rejects.toMatchObject({
      code: "bad_settings",
      message: expect.stringMatching(
        /ASSAY_ENCRYPTION_KEYS is in the environment.*trusted.*ASSAY_ENCRYPTION_KEYS_FILE/,
      ),
    })
    const database = { DATABASE_URL: "postgres://assay:pass@127.0.0.1/assay", ASSAY_SHARED_LOCAL: "1" }
    await expect(startTestServer({ ...env, ...database })).rejects.toThrow(/DATABASE_URL has a password/)
    const file = join(folder, "keys")
    await writeFile(file, `${KEYS}\n`, { mode: 0o600 })
    await using server = await startTestServer({ ...env, ASSAY_ENCRYPTION_KEYS_FILE: file })
    expect(server.log()).toContain("commands of users run with all rights of the server's user")
  })
})
