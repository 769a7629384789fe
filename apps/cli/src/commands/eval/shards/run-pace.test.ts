import { once } from "node:events"
import { setTimeout as wait } from "node:timers/promises"
import { type FakeInference, type FakeModel, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { runCommand } from "../../../testing/run-command.ts"
import { startAssay } from "../../../testing/start-assay.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../../testing/temporary-folder.ts"

/** Requests that the model answers in any second. */
const LIMIT = 40
const IN_FLIGHT = 24
const ROWS = 3000
/** At the limit, both shards together send 12 requests in it. Without a limit, one sends all of its requests in flight at once. */
const FIRST_MS = 300

interface Asked {
  readonly at: number
  readonly isRefused: boolean
  /** Of the second shard. */
  readonly isSecond: boolean
}

let model: FakeInference
let folder: TemporaryFolder
let asked: Asked[] = []
beforeAll(async () => {
  let taken: number[] = []
  const limited: FakeModel = ({ messages }) => {
    const at = performance.now()
    taken = taken.filter((one) => one > at - 1000)
    const isRefused = taken.length >= LIMIT
    const row = Number(String(messages[0]?.content).replace("word ", ""))
    asked.push({ at, isRefused, isSecond: row >= ROWS / 2 })
    if (isRefused) return { fault: { kind: "condition", condition: "rate-limited" } }
    taken.push(at)
    return { content: "yes" }
  }
  model = await startFakeInference({ models: { limited }, latencyMs: 50, record: false })
})
afterAll(() => model.close())
beforeEach(() => {
  asked = []
  folder = makeTemporaryFolder()
  return () => folder[Symbol.dispose]()
})

/** Cuts a job into two shards. */
async function cut(rows = ROWS): Promise<void> {
  folder.write("rows.csv", ["said", ...Array.from({ length: rows }, (_, row) => `word ${row}`), ""].join("\n"))
  folder.write(
    "eval.yaml",
    `model: {url: "${model.url}/v1", model: limited}
data: rows.csv
prompt: "{{ said }}"
checks: [{contains: "yes"}]
parallel: ${2 * IN_FLIGHT}
`,
  )
  const words = ["eval", "cut", "eval.yaml", "--skip-checks", "--shards", "2", "--out", "run"]
  expect(await runCommand(words, { cwd: folder.path })).toMatchObject({ exitCode: 0 })
}

const startShard = (index: number, pace: string, env: Readonly<Record<string, string>> = {}) =>
  startAssay(["eval", "shard", "run", "--index", String(index), "--pace", pace], { cwd: folder.path, env })

async function startServer(env: Readonly<Record<string, string>> = {}) {
  const server = startAssay(["serve", "--port", "0", "--json"], {
    cwd: folder.path,
    env: { ASSAY_LOG_LEVEL: "warn", ...env },
  })
  const failed = server.ended.then(({ stderr }) => Promise.reject(new Error(stderr)))
  failed.catch(() => {})
  const [said] = await Promise.race([once(server.child.stdout, "data"), failed])
  const { url }: { url: string } = JSON.parse(String(said))
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.child.kill("SIGINT")
      await server.ended
    },
  }
}

const ofSecond = () => asked.filter(({ isSecond }) => isSecond)
const perSecond = (since: number, until: number) =>
  (1000 * asked.filter(({ at }) => at >= since && at < until).length) / (until - since)
const isHeld = () => expect.poll(() => asked.some(({ isRefused }) => isRefused), { timeout: 60_000 }).toBe(true)

/** Ends shards as Ctrl-C does, and returns what they wrote. */
async function endAll(shards: readonly ReturnType<typeof startShard>[]): Promise<readonly string[]> {
  for (const { child } of shards) child.kill("SIGINT")
  return (await Promise.all(shards.map(({ ended }) => ended))).map(({ stderr }) => stderr)
}

/** Runs two shards, the second of which begins when the first has found the limit. Returns how many requests the second sent at first, and the rate of both. */
async function joinShards(pace: string) {
  const first = startShard(0, pace)
  await isHeld()
  // The first refusal pauses the endpoint for a second.
  await wait(2000)
  const second = startShard(1, pace)
  await expect.poll(() => ofSecond().length, { timeout: 60_000 }).toBeGreaterThan(0)
  const joined = ofSecond()[0]?.at ?? 0
  await wait(4000)
  const rate = perSecond(joined, performance.now())
  const notes = await endAll([first, second])
  return { atFirst: ofSecond().filter(({ at }) => at < joined + FIRST_MS).length, rate, notes: notes.join("") }
}

describe("shards of a run with --pace", () => {
  it("share the rate of an endpoint by a server", { ...verifies("paces.outside"), timeout: 240_000 }, async () => {
    await using server = await startServer()
    await cut()
    const { atFirst, rate, notes } = await joinShards(server.url)
    expect(atFirst).toBeLessThan(IN_FLIGHT)
    expect(rate).toBeLessThanOrEqual(1.05 * LIMIT)
    expect(notes).not.toContain("not shared")
  })

  it(
    "end before they ask a model if the server refuses their token",
    { ...verifies("paces.refused"), timeout: 60_000 },
    async () => {
      await using server = await startServer({ ASSAY_AUTH: "tokens" })
      await cut(10)
      const { exitCode, stderr } = await startShard(0, server.url, { ASSAY_TOKEN: "assay_wrong" }).ended
      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/token/i)])
      const words = ["run", "eval.yaml", "--executor", "local", "--skip-checks", "--out", "other", "--pace", server.url]
      const refused = await startAssay(["eval", ...words], { cwd: folder.path, env: { ASSAY_TOKEN: "assay_wrong" } })
        .ended
      expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringMatching(/token/i)])
      expect(asked).toEqual([])
    },
  )

  it("begin without a server that does not respond", async () => {
    await cut(10)
    const { exitCode, stderr } = await startShard(0, "http://127.0.0.1:9").ended
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("not shared until --pace responds")])
  }, 60_000)
})

describe("--pace", () => {
  const render = (pace: string, env: Readonly<Record<string, string>> = {}) =>
    runCommand(
      ["eval", "run", "eval.yaml", "--executor", "slurm", "--shards", "2", "--out", "run", "--render", "--pace", pace],
      { cwd: folder.path, env: { PATH: process.env["PATH"] ?? "", ...env } },
    )

  it("refuses what is not an address, and a password that the run would keep", async () => {
    await cut(10)
    for (const [pace, said] of [
      ["ftp://a.example", "'ftp://a.example' in --pace is not that of a server"],
      ["postgres://user:hush-1@db.example/assay", "contains a password"],
      ["postgres://db.example/assay?password=hush-1", "contains a password"],
      ["https://user:hush-1@assay.example", "contains a password"],
    ] as const) {
      const { exitCode, stderr } = await render(pace)
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(said)])
      expect(stderr).not.toContain("hush-1")
    }
    const missing = await startShard(0, "env:NO_SUCH_PACE").ended
    expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining("'NO_SUCH_PACE', which is not set")])
    const alone = await runCommand(["eval", "run", "eval.yaml", "--pace", "env:X"], { cwd: folder.path })
    expect([alone.exitCode, alone.stderr]).toEqual([2, expect.stringContaining("--pace needs an engine")])
  }, 60_000)

  it("is an option of the shards, and a variable stays a name", async () => {
    await cut(10)
    const { stdout } = await runCommand(
      ["eval", "run", "eval.yaml", "--executor", "slurm", "--shards", "2", "--out", "rendered", "--render"],
      { cwd: folder.path, env: { PATH: process.env["PATH"] ?? "", ASSAY_PACE: "env:PACE_URL" } },
    )
    expect(stdout).toContain("--pace env:PACE_URL")
  }, 60_000)
})
