import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../../testing/run-command.ts"
import { startServer, type TestServer } from "../../../testing/start-server.ts"
import { makeTemporaryFolder } from "../../../testing/temporary-folder.ts"

const folder = makeTemporaryFolder()
let server: TestServer
let job: string
beforeAll(async () => {
  server = await startServer()
  folder.write(
    "eval.yaml",
    `
target:
  type: rows
  rows:
    - {answer: "yes", expected: "yes"}
    - {answer: "a refund, please", expected: "yes"}
    - {answer: "=1+1", expected: "=1+1"}
config:
  type: custom
  tasks:
    qa: {type: data, metrics: {accuracy: {type: string-check, params: {check: ["{{ item.answer }}", equals, "{{ item.expected }}"]}}}}
`,
  )
  job = (JSON.parse((await assay("launch", "eval.yaml", "--json")).stdout) as { id: string }).id
  await assay("watch", job)
})
afterAll(async () => {
  await server.stop()
  folder[Symbol.dispose]()
})

const assay = (...words: string[]) =>
  runCommand(["eval", ...words], { cwd: folder.path, env: { ASSAY_URL: server.url } })

describe("assay eval rows", () => {
  it("prints the rows of a job as a table, in the order that --sort names", async () => {
    const { exitCode, stdout } = await assay("rows", job, "--sort", "-score:accuracy", "--limit", "2")
    expect([exitCode, stdout.split("\n").map((line) => line.trim().split(/ {2,}/)[0])]).toEqual([
      0,
      ["ROW", "qa/0", "qa/2", "3 rows; --offset 2 shows the next", ""],
    ])
    expect(stdout).toMatch(/^ROW +accuracy\.string-check +LATENCY/)
  })

  it("prints only rows that match every --filter", async () => {
    const { stdout } = await assay("rows", job, "--filter", "text~REFUND", "--filter", "score:accuracy<1", "--json")
    const page = JSON.parse(stdout) as { data: { row_index: number }[]; matched: number; total: number }
    expect([page.data.map(({ row_index }) => row_index), page.matched, page.total]).toEqual([[1], 1, 3])
  })

  it("prints every row as CSV with --csv --all, page by page and without formulas", async () => {
    const { stdout } = await assay("rows", job, "--csv", "--all", "--limit", "2")
    expect(stdout.split("\r\n")).toEqual([
      "task,row_index,repeat,attempt,accuracy.string-check,latency_ms,condition,verdict,error,output,item",
      expect.stringMatching(/^qa,0,0,1,1,/),
      expect.stringMatching(/^qa,1,0,1,0,.*refund/),
      expect.stringContaining(`"{""answer"":""=1+1"",""expected"":""=1+1""}"`),
      "",
    ])
  })

  it("shows the scores of another job beside its own", async () => {
    const { stdout } = await assay("rows", job, "--against", job, "--sort", "changed:accuracy")
    expect(stdout).toMatch(/qa\/0 +1 → 1/)
  })

  it("has rows that `assay import row` makes tests of", async () => {
    const words = ["import", "row", job, "qa/1"]
    const { stdout } = await runCommand(words, { cwd: folder.path, env: { ASSAY_URL: server.url } })
    const from = { job, task: "qa", row_index: 1, repeat: 0 }
    expect(JSON.parse(stdout)).toEqual({ answer: "a refund, please", expected: "yes", output_text: null, from })
  })

  it.each([
    ["other.yaml", "model: chat\n", "must end in .jsonl"],
    ["other.jsonl", "[1]\n", "has lines that are not JSON objects"],
    ["results.jsonl", '{"task":"qa","row_index":0,"attempt":1,"scores":{}}\n', "has the results of a job"],
    ["log.jsonl", '{"at":1,"level":"info","message":"started"}\n', "has the log of a job"],
  ])("has rows that are not added to another file: %s", async (name, text, message) => {
    await writeFile(join(folder.path, name), text)
    const words = ["import", "row", job, "qa/1", "--out", name]
    const { exitCode, stderr } = await runCommand(words, { cwd: folder.path, env: { ASSAY_URL: server.url } })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(await readFile(join(folder.path, name), "utf8")).toBe(text)
  })

  it("prints one row whole with --row", verifies("eval.rows.whole"), async () => {
    const { exitCode, stdout } = await assay("rows", job, "--row", "qa/1")
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(/^qa\/1\n[^]*"a refund, please"[^]*repeat 0, attempt 1/),
    ])
    expect(stdout).toContain("accuracy.string-check: 0")
    expect(JSON.parse((await assay("rows", job, "--row", "qa/1", "--json")).stdout)).toMatchObject({ row_index: 1 })
  })

  it.each([
    [["--row", "1"], "takes a task and a number"],
    [["--filter", "accuracy"], "'accuracy' is not a filter"],
    [["--all"], "give --csv as well"],
    [["--csv", "--json"], "two formats"],
    [["--sort", "score:f1"], "No row has the score 'f1'"],
  ])("refuses %j with exit code 2", async (words, message) => {
    const { exitCode, stderr, stdout } = await assay("rows", job, ...words)
    expect([exitCode, stderr + stdout]).toEqual([2, expect.stringContaining(message)])
  })
})

describe("assay eval compare --rows", () => {
  it("prints the rows of two jobs side by side, as a table and as CSV", verifies("eval.compare.rows"), async () => {
    const rows = ["--rows", "--metric", "accuracy"]
    const { exitCode, stdout } = await assay("compare", job, job, ...rows, "--limit", "1")
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^ROW +accuracy\.string-check +CHANGE +OUTPUT A +OUTPUT B/)
    expect(stdout).toMatch(
      /qa\/0 +1 → 1 +0\n3 rows in both jobs \(0 only in the first, 0 only in the second\); --offset 1/,
    )
    const csv = await assay(
      "compare",
      job,
      job,
      ...rows,
      "--csv",
      "--all",
      "--limit",
      "2",
      "--filter",
      "score:accuracy<1",
    )
    expect(csv.stdout.split("\r\n")).toEqual([
      "task,row_index,repeat,a.accuracy.string-check,b.accuracy.string-check,difference,a.error,b.error,a.output,b.output,item",
      expect.stringMatching(/^qa,1,0,0,0,0,.*refund/),
      "",
    ])
  })

  it.each([
    [["--rows"], "name it with --metric"],
    [["./results", "--rows", "--metric", "accuracy"], "give two jobs, not 3"],
    [["--rows", "--metric", "f1"], "No row has the score 'f1'"],
  ])("refuses %j with exit code 2", async (words, message) => {
    const { exitCode, stderr, stdout } = await assay("compare", job, job, ...words)
    expect([exitCode, stderr + stdout]).toEqual([2, expect.stringContaining(message)])
  })
})

describe("assay eval check", () => {
  it("prints each launch check and an estimate, and launches nothing", verifies("launch.check"), async () => {
    const { exitCode, stdout, stderr } = await assay("check", "eval.yaml")
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^The job can be launched: 3 rows, 0 requests\n\n {4}Rows +3\n {4}Requests +0\n {4}Interval of a share /,
      ),
    ])
    expect(stderr).toMatch(/passed {2}shape/)
    folder.write("wrong.yaml", "target: {type: rows, rows: [{a: 1}]}\nconfig: {type: custom, tasks: {}}\n")
    const wrong = await assay("check", "wrong.yaml")
    expect([wrong.exitCode, wrong.stdout]).toEqual([1, expect.stringMatching(/shape: [^]*The job cannot be launched/)])
    expect(JSON.parse((await assay("list", "--json")).stdout)).toMatchObject({ pagination: { total_results: 1 } })
  })
})
