import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { startServer, type TestServer } from "../../testing/start-server.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const folder = makeTemporaryFolder()
let server: TestServer
beforeAll(async () => {
  server = await startServer()
  write("good.json", 90)
  write("bad.json", 50)
})
afterAll(async () => {
  await server.stop()
  folder[Symbol.dispose]()
})

/** Writes an evaluation of 100 rows, of which this many are right. */
function write(name: string, right: number): void {
  const rows = Array.from({ length: 100 }, (_, row) => ({ row, output: row < right ? "yes" : "no" }))
  const metrics = { same: { type: "string-check", params: { check: ["{{ sample.output_text }}", "equals", "yes"] } } }
  const config = { type: "custom", tasks: { qa: { type: "data", metrics } } }
  folder.write(name, JSON.stringify({ target: { type: "rows", rows }, config }))
}

const run = (words: readonly string[], env: Readonly<Record<string, string>> = { ASSAY_URL: server.url }) =>
  runCommand(words, { cwd: folder.path, env })
const evaluate = (file: string, ...words: string[]) => run(["eval", "run", file, ...words])

describe("assay eval run --against", () => {
  it(
    "makes the first job the baseline, passes equal results, and keeps it if a later one is worse",
    verifies("baselines.decide"),
    async () => {
      const missing = await evaluate("good.json", "--against", "main")
      expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining("Baseline 'main' not found")])
      const first = await evaluate("good.json", "--against", "main", "--accept")
      expect([first.exitCode, first.stdout]).toEqual([0, expect.stringMatching(/\ndefault\/main is eval-\S+ now\n$/)])
      const same = await evaluate("good.json", "--against", "main")
      expect([same.exitCode, same.stdout]).toEqual([
        0,
        expect.stringMatching(
          /: PASS, no row changed \(margin 0[^]*\nno row changed: equal results are PASS, and .*\n$/,
        ),
      ])
      const worse = await evaluate("bad.json", "--against", "main", "--accept", "--json")
      expect(worse.exitCode).toBe(1)
      expect(JSON.parse(worse.stdout)).toMatchObject({ comparison: { verdict: "FAIL" } })
      const { stdout } = await run(["baseline", "get", "main"])
      expect(stdout.match(/eval-\w+ +local/g)).toHaveLength(1)
    },
  )

  it(
    "replaces the results of another job only with --force, and compares with what it replaces",
    verifies("results.not-replaced"),
    async () => {
      await run(["eval", "run", "good.json", "--out", "kept"], {})
      const words = ["eval", "run", "bad.json", "--against", "./kept", "--out", "kept"]
      const refused = await run(words, {})
      expect([refused.exitCode, refused.stderr]).toEqual([
        2,
        expect.stringMatching(/has the results of another job, eval-\S+\.\n[^]*--force/u),
      ])
      expect((await run(["eval", "run", "good.json", "--out", "kept"], {})).exitCode).toBe(0)
      const replaced = await run([...words, "--force"], {})
      expect([replaced.exitCode, replaced.stdout]).toEqual([
        1,
        expect.stringContaining("this run against ./kept: FAIL"),
      ])
      expect((await run(["eval", "results", "./kept"], {})).stdout).toMatch(/ 0(\.0+)? /u)
    },
  )

  it("compares with a folder of results without a server", async () => {
    await run(["eval", "run", "good.json", "--out", "before"], {})
    const { exitCode, stdout } = await run(["eval", "run", "bad.json", "--against", "./before"], {})
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining("this run against ./before: FAIL")])
    const named = await run(["eval", "run", "bad.json", "--against", "main"], {})
    expect([named.exitCode, named.stderr]).toEqual([2, expect.stringContaining("There is no folder 'main' here")])
    const moved = await run(["eval", "run", "bad.json", "--against", "./before", "--accept"], {})
    expect(moved.stderr).toContain("Leave out --accept, or give --server")
    expect((await run(["eval", "run", "bad.json", "--accept"], {})).stderr).toContain("add --against")
  })
})

it("assay baseline moves, lists and deletes baselines, and eval compare takes their names", async () => {
  const launch = async (file: string) => (JSON.parse((await evaluate(file, "--json")).stdout) as { id: string }).id
  const good = await launch("good.json")
  const bad = await launch("bad.json")
  expect((await run(["baseline", "set", "default/nightly", good])).stdout).toBe(`default/nightly is ${good}\n`)
  expect((await run(["baseline", "list"])).stdout).toMatch(new RegExp(`nightly +${good} +\\S+ +local`))
  expect((await run(["eval", "compare", "nightly", bad])).stdout).toContain("bad against good: FAIL")
  const watched = await run(["eval", "watch", bad, "--against", "nightly"])
  expect([watched.exitCode, watched.stdout]).toEqual([1, expect.stringContaining("bad against good: FAIL")])
  const refused = await run(["eval", "delete", good, "--yes"])
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("is the baseline 'default/nightly'")])
  expect((await run(["baseline", "delete", "nightly"])).stdout).toBe(`deleted default/nightly; ${good} stays\n`)
  expect((await run(["eval", "delete", good, "--yes"])).exitCode).toBe(0)
  expect((await run(["baseline", "set", "a/b/c", good])).stderr).toContain("write name, or workspace/name")
})
