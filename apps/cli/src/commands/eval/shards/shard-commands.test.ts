import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { type FakeInference, startFakeInference } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { runCommand } from "../../../testing/run-command.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../../testing/temporary-folder.ts"

const MAIN = fileURLToPath(new URL("../../../main.ts", import.meta.url))

let model: FakeInference
let folder: TemporaryFolder
beforeAll(async () => {
  model = await startFakeInference()
})
afterAll(() => model.close())
beforeEach(() => {
  folder = makeTemporaryFolder()
  model.faults.clear()
  folder.write("rows.csv", ["said,label", ...[0, 1, 2, 3].map((row) => `word ${row},word ${row}`), ""].join("\n"))
  folder.write(
    "eval.yaml",
    `name: words
model: {url: "${model.url}/v1", model: echo}
data: rows.csv
prompt: "{{ said }}"
checks: [{exact-match: "{{ label }}"}]
`,
  )
  return () => folder[Symbol.dispose]()
})

const assay = (...words: readonly string[]) => {
  const { PATH = "" } = process.env
  return runCommand(["eval", ...words], {
    cwd: folder.path,
    env: { PATH },
    program: [process.execPath, "--conditions=source", MAIN],
    sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal === undefined ? {} : { signal }),
  })
}
const cut = (...words: readonly string[]) =>
  assay("cut", "eval.yaml", "--skip-checks", "--shards", "2", "--out", "run", ...words)
const read = (path: string) => readFileSync(join(folder.path, path), "utf8")

async function cutAndAsk(): Promise<void> {
  await cut()
  for (const index of ["0", "1"]) await assay("shard", "run", "--index", index)
}

describe("assay eval cut and merge", () => {
  it("replace the results of another job only with --force", async () => {
    await assay("run", "eval.yaml", "--skip-checks", "--out", "run")
    const refused = await cut()
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("has the results of another job")])
    expect((await cut("--force")).exitCode).toBe(0)
    for (const index of ["0", "1"]) await assay("shard", "run", "--index", index)
    await assay("run", "eval.yaml", "--skip-checks", "--out", "other")
    const before = read("other/config/job.json")
    const merged = await assay("merge", "run", "--out", "other")
    expect([merged.exitCode, merged.stderr]).toEqual([2, expect.stringContaining("has the results of another job")])
    expect(read("other/config/job.json")).toBe(before)
    expect((await assay("merge", "run", "--out", "other", "--force")).exitCode).toBe(0)
    // The results of the same job are replaced.
    expect((await assay("merge", "run", "--out", "other")).exitCode).toBe(0)
  }, 60_000)

  it("merge with --resubmit follows shards that nobody else merges, and writes what it was asked for", async () => {
    folder.write(
      "executors.yaml",
      `profiles:
  batch:
    executor: command
    waits: false
    command: [sh, -c, 'test -e go && setsid --fork "$@"; true', sh, "{program}", eval, shard, "{run}", --index, "{index}"]
`,
    )
    const words = ["--profile", "batch", "--shards", "2", "--out", "run", "--detach"]
    await assay("run", "eval.yaml", "--skip-checks", ...words)
    folder.write("go", "")
    const { exitCode, stdout } = await assay("merge", "run", "--resubmit", "1", "--out", "out", "--junit", "x.xml")
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^words: COMPLETED, 4 rows/)])
    expect(existsSync(join(folder.path, "out/results/results.json"))).toBe(true)
    expect(existsSync(join(folder.path, "run/results"))).toBe(false)
    expect(existsSync(join(folder.path, "x.xml"))).toBe(true)
  }, 60_000)
})

describe("a run whose shards were run by hand", () => {
  it("says after retry-failed which shards to run, and asks only the failed rows again", async () => {
    model.faults.add({
      when: ({ chat }) => String(chat?.messages[0]?.content) === "word 3",
      fault: { kind: "answer", status: 400, body: { error: { message: "no" } } },
    })
    await cutAndAsk()
    const merged = await assay("merge", "run")
    // Both commands name the one that asks the failed row.
    for (const { stdout } of [merged, await assay("status", "./run")]) {
      expect(stdout).toContain("assay eval retry-failed ./run")
    }
    model.faults.clear()
    const { exitCode, stdout, stderr } = await assay("retry-failed", "./run")
    expect([exitCode, stderr]).toEqual([0, "the failed rows of 1 shard are asked again\n"])
    expect(stdout).toBe(
      "no engine has this run; shards without rows: 1\n\nassay eval shard ./run --index 1\nassay eval merge ./run\n",
    )
    expect((await assay("logs", "./run")).stdout).toMatch(
      /^\S+ ERROR shard 1 \(attempt 1\): Its failed rows \(1\) are asked again/,
    )
    const before = model.requests.length
    expect((await assay("shard", "run", "--index", "1")).exitCode).toBe(0)
    expect(model.requests.length - before).toBe(1)
    expect((await assay("merge", "run")).exitCode).toBe(0)
  })

  it("has the log of its rows when it is merged, of which logs prints the last lines", async () => {
    await cutAndAsk()
    const before = await assay("logs", "./run")
    expect([before.stdout, before.stderr]).toEqual(["", expect.stringMatching(/^the log of all rows is written when/)])
    await assay("merge", "run")
    const lines = read("run/results/evaluation.log").split("\n")
    expect((await assay("logs", "./run")).stdout).toBe(lines.join("\n"))
    expect((await assay("logs", "./run", "--tail", "1")).stdout).toBe(lines.slice(-2).join("\n"))
    const followed = await assay("logs", "./run", "--follow")
    expect([followed.exitCode, followed.stderr]).toEqual([2, expect.stringContaining("`assay eval watch ./run`")])
    await assay("run", "eval.yaml", "--skip-checks", "--out", "one")
    expect((await assay("logs", "./one", "--tail", "0")).stdout).toBe("")
  })
})
