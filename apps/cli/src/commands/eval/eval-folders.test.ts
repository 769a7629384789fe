import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const folder = makeTemporaryFolder()
afterAll(() => folder[Symbol.dispose]())

/** Evaluates stored outputs, without a model. `isWrong` decides which outputs are wrong. */
async function evaluate(name: string, isWrong: (row: number) => boolean, ...more: string[]): Promise<void> {
  const rows = Array.from({ length: 40 }, (_, row) => `question ${row},${row},${isWrong(row) ? "?" : row}`)
  folder.write(`${name}.csv`, ["question,reference,output", ...rows, ""].join("\n"))
  const metrics = { exact: { type: "em", params: { ground_truth: "{{ item.reference }}" } } }
  const dataset = { files_url: `./${name}.csv` }
  const config = { type: "custom", tasks: { qa: { type: "data", dataset, metrics } } }
  folder.write(
    `${name}.json`,
    JSON.stringify({ target: { type: "cached_outputs", cached_outputs: dataset }, config, output: `./${name}` }),
  )
  const { exitCode, stderr } = await runCommand(["eval", "run", `${name}.json`, ...more], { cwd: folder.path })
  expect([exitCode, stderr]).toEqual([more.length === 0 ? 0 : 1, expect.any(String)])
}

const assay = (...words: string[]) => runCommand(["eval", ...words], { cwd: folder.path })

beforeAll(async () => {
  await evaluate("before", (row) => row % 10 === 0)
  await evaluate("after", (row) => row % 2 === 0)
})

describe("assay eval with folders of results", () => {
  it("prints scores and checks gates", verifies("cli.eval.gates"), async () => {
    const { exitCode, stdout } = await assay("results", "./before", "--gate", "qa.exact.em_score>=0.99")
    expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/qa\.exact\.em_score +0\.9 [^]*FAIL\n$/)])
    const { stdout: json } = await assay("results", "./before", "--json")
    expect(JSON.parse(json)).toMatchObject({
      tasks: { qa: { metrics: { exact: { scores: { em_score: { value: 0.9 } } } } } },
    })
  })

  it("prints rows of a folder in any order, beside those of another folder, and one row whole", async () => {
    const { exitCode, stdout } = await assay("rows", "./before", "--filter", "score:exact<1", "--sort", "-index")
    expect([exitCode, stdout.split("\n").map((line) => line.split(" ")[0])]).toEqual([
      0,
      ["ROW", "qa/30", "qa/20", "qa/10", "qa/0", "4", ""],
    ])
    expect(stdout).toContain("4 of 40 rows match\n")
    const worse = await assay("rows", "./after", "--against", "./before", "--sort", "changed:exact", "--limit", "1")
    expect(worse.stdout).toMatch(/qa\/2 +1 → 0 [^]*40 rows; --offset 1 shows the next\n$/)
    const csv = await assay("rows", "./before", "--csv", "--all", "--limit", "15")
    expect(csv.stdout.split("\r\n")).toHaveLength(42)
    const one = await assay("rows", "./before", "--row", "qa/10", "--json")
    expect(JSON.parse(one.stdout)).toMatchObject({ row_index: 10, attempts: [{ output: "?" }] })
    expect((await assay("rows", "./before", "--row", "qa/40")).stderr).toContain(
      "'./before' has no row 40 of task 'qa'.",
    )
    expect((await assay("rows", "./nothing")).stderr).toContain(
      "'./nothing' does not contain results: there is no such folder.",
    )
    const mixed = await assay("rows", "./before", "--against", "eval-1")
    expect([mixed.exitCode, mixed.stderr]).toEqual([
      2,
      expect.stringContaining("name two jobs of a server, or two folders."),
    ])
  })

  it("compares folders row by row, and the exit code is the verdict", verifies("cli.eval.jobs"), async () => {
    const worse = await assay("compare", "./before", "./after")
    expect([worse.exitCode, worse.stderr]).toEqual([1, ""])
    expect(worse.stdout).toMatch(/^\.\/after against \.\/before: FAIL \(margin 0: no score may be worse\)\n/)
    expect(worse.stdout).toMatch(/qa\.exact\.em_score +0\.9 +0\.5 +-0\.4 .* 40 .*FAIL\n/)
    expect(worse.stdout).toMatch(
      /16 rows changed; the 5 that changed most:\nworse: qa, row \d+: exact\.em_score 1 → 0\n/,
    )
    expect((await assay("compare", "./after", "./before")).exitCode).toBe(0)
    const same = await assay("compare", "./before", "./before")
    expect([same.exitCode, same.stderr]).toEqual([
      2,
      expect.stringMatching(/'\.\/before' is the same job \(eval-\w+\)/),
    ])
    const help = await assay("compare", "--help")
    expect(help.stdout.replaceAll(/\s+/g, " ")).toMatch(/--margin <number>.*\(default: 0\)/)
    const mixed = await assay("compare", "./before", "eval-1")
    expect([mixed.exitCode, mixed.stderr]).toEqual([2, expect.stringContaining("assay eval download eval-1 --out")])
  })

  it("explains a folder and prints its log, but does not cancel it", async () => {
    const { stdout } = await assay("explain", "./before")
    expect(stdout).toMatch(/^The job has finished\.[^]*assay eval results \.\/before\n$/)
    expect((await assay("logs", "./before")).stdout).toMatch(/^\d{4}-\S+Z INFO /)
    expect((await assay("cancel", "./before")).stderr).toContain("Ctrl-C")
  })

  it("explains which gate of a folder failed, instead of finding nothing", async () => {
    await evaluate("gated", (row) => row % 2 === 0, "--gate", "qa.exact.em_score>=0.9")
    expect((await assay("explain", "./gated")).stdout).toMatch(
      /\nWORST ROWS .+\nqa\/0 +exact\.em_score 0 .*(?:\nqa\/.*){2}\n\n/u,
    )
    const shown = await assay("results", "./gated")
    expect([shown.exitCode, shown.stdout]).toEqual([1, expect.stringMatching(/>= 0\.9 .* FAIL\n/u)])
    const summary = await assay("results", "./gated", "--summary", "-")
    expect(summary.stdout).toMatch(/^## ❌ FAIL: /u)
    const { stdout } = await assay("explain", "./gated")
    expect(stdout).toContain("The gate 'qa.exact.em_score >= 0.9' failed: the score is 0.5 (interval 0.")
    expect(stdout).not.toContain("gates are in the results")
  })

  it("lists the runs of this machine if no server is named, the newest first, with their gates", async () => {
    await evaluate("listed", (row) => row % 2 === 0, "--gate", "qa.exact.em_score>=0.9", "--out", "many/listed")
    const record = JSON.parse(readFileSync(join(folder.path, "after/run.json"), "utf8")) as object
    folder.write("stopped/run.json", JSON.stringify({ ...record, status: "RUNNING", pid: 2 ** 30 }))
    folder.write("project/config/job.json", "{}")
    const { exitCode, stdout, stderr } = await assay("list")
    expect(exitCode).toBe(0)
    const lines = stdout.trimEnd().split("\n")
    expect(lines[1]).toMatch(/^\.\/many\/listed +COMPLETED +FAIL +100 % +listed /)
    expect(lines.slice(1).map((line) => line.split(/ +/)[0])).toEqual(
      expect.arrayContaining(["./before", "./after", "./many/listed", "./stopped"]),
    )
    expect(stdout).toMatch(/\n\.\/stopped +INTERRUPTED /)
    expect(stdout).not.toContain("project")
    expect(stderr).toBe("jobs of a server: assay eval list --server http://127.0.0.1:8080\n")
    const { data } = JSON.parse((await assay("list", "--local", "--status", "interrupted", "--json")).stdout) as {
      data: unknown
    }
    expect(data).toEqual([expect.objectContaining({ folder: "./stopped", verdict: null, name: "after" })])
    const first = await assay("list", "--limit", "1")
    expect([first.stdout.trimEnd().split("\n").length, first.stderr]).toEqual([
      2,
      expect.stringMatching(/^\d older runs are not/u),
    ])
    expect((await assay("list", "--limit", "1", "--all")).exitCode).toBe(2)
  })

  it("asks the server if there are no runs here, and for jobs of a workspace", async () => {
    const fetch = () => Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }))
    const cwd = join(folder.path, "empty")
    mkdirSync(cwd)
    const empty = await runCommand(["eval", "list"], { cwd, fetch })
    expect(empty.stderr).toMatch(/^this folder has no runs, so the server at http:\S+ is asked\n[^]*error: /)
    expect((await runCommand(["eval", "list", "--local"], { cwd, fetch })).stdout).toBe("no runs\n")
    const asked = await runCommand(["eval", "list", "-w", "team"], { cwd: folder.path, fetch })
    expect([asked.exitCode, asked.stdout]).toEqual([2, ""])
  })

  it.each([
    ["config/job.json", "results"],
    ["results/results.json", "results"],
    ["results/rows.jsonl", "compare", "./after"],
    ["results/evaluation.log", "logs"],
    ["run.json", "resume"],
    ["log.jsonl", "retry-failed"],
    ["journal.jsonl", "retry-failed"],
    ["run.json", "retry-failed"],
  ])(
    "refuses a folder without waiting if %s is a pipe: %s",
    verifies("files.open.regular-only"),
    async (path, verb, ...more) => {
      const name = `./pipe-${verb}-${path.replaceAll(/\W/g, "-")}`
      const copy = join(folder.path, name)
      cpSync(join(folder.path, "before"), copy, { recursive: true })
      rmSync(join(copy, path))
      expect(spawnSync("mkfifo", [join(copy, path)]).status).toBe(0)
      const { exitCode, stdout, stderr } = await assay(verb, name, ...more)
      expect([exitCode, stdout + stderr]).toEqual([2, expect.stringContaining("not a regular file")])
    },
  )

  it("refuses a folder without results", async () => {
    for (const verb of ["results", "explain", "logs", "resume", "retry-failed"]) {
      const { exitCode, stderr } = await assay(verb, "./nothing-here")
      expect([verb, exitCode, stderr]).toEqual([verb, 2, expect.stringContaining("nothing-here")])
    }
  })
})
