import { once } from "node:events"
import { type FakeInference, type FakeModel, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { runCommand } from "../../../testing/run-command.ts"
import { startAssay } from "../../../testing/start-assay.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../../testing/temporary-folder.ts"

const ROWS = 10

let model: FakeInference
let folder: TemporaryFolder
let asked = 0
beforeAll(async () => {
  const yes: FakeModel = () => {
    asked++
    return { content: "yes" }
  }
  model = await startFakeInference({ models: { yes }, record: false })
})
afterAll(() => model.close())
beforeEach(() => {
  asked = 0
  folder = makeTemporaryFolder()
  return () => folder[Symbol.dispose]()
})

/** Cuts a job into two shards. */
async function cut(): Promise<void> {
  folder.write("rows.csv", ["said", ...Array.from({ length: ROWS }, (_, row) => `word ${row}`), ""].join("\n"))
  folder.write(
    "eval.yaml",
    `model: {url: "${model.url}/v1", model: "yes"}
data: rows.csv
prompt: "{{ said }}"
checks: [{contains: "yes"}]
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

describe("shards of a run with --pace", () => {
  it(
    "end before they ask a model if the server refuses their token",
    { ...verifies("paces.refused"), timeout: 60_000 },
    async () => {
      await using server = await startServer({ ASSAY_AUTH: "tokens" })
      await cut()
      const { exitCode, stderr } = await startShard(0, server.url, { ASSAY_TOKEN: "assay_wrong" }).ended
      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/token/i)])
      const words = ["run", "eval.yaml", "--executor", "local", "--skip-checks", "--out", "other", "--pace", server.url]
      const refused = await startAssay(["eval", ...words], { cwd: folder.path, env: { ASSAY_TOKEN: "assay_wrong" } })
        .ended
      expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringMatching(/token/i)])
      expect(asked).toBe(0)
    },
  )

  it("begin without a server that does not respond", async () => {
    await cut()
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
    await cut()
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
    const unset = "'NO_SUCH_PACE', which is not set"
    const missing = await startShard(0, "env:NO_SUCH_PACE").ended
    expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining(unset)])
    const words = ["eval", "run", "eval.yaml", "--executor", "local", "--out", "unset", "--pace", "env:NO_SUCH_PACE"]
    const here = await runCommand(words, { cwd: folder.path })
    expect([here.exitCode, here.stderr]).toEqual([2, expect.stringContaining(unset)])
    expect((await render("env:NO_SUCH_PACE")).stderr).toContain("NO_SUCH_PACE of --pace is not set here")
    const alone = await runCommand(["eval", "run", "eval.yaml", "--pace", "env:X"], { cwd: folder.path })
    expect([alone.exitCode, alone.stderr]).toEqual([2, expect.stringContaining("--pace needs an engine")])
  }, 60_000)

  it("is an option of the shards, and a variable stays a name", async () => {
    await cut()
    const { stdout } = await runCommand(
      ["eval", "run", "eval.yaml", "--executor", "slurm", "--shards", "2", "--out", "rendered", "--render"],
      { cwd: folder.path, env: { PATH: process.env["PATH"] ?? "", ASSAY_PACE: "env:PACE_URL" } },
    )
    expect(stdout).toContain("--pace env:PACE_URL")
  }, 60_000)
})
