import { readFileSync } from "node:fs"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, describe, expect, it } from "vitest"
import { runCommand, type RunOptions } from "../../testing/run-command.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const folder = makeTemporaryFolder()
afterAll(() => folder[Symbol.dispose]())

/** Writes an evaluation of stored answers, every fourth of which is wrong. */
function write(name: string, rows: number) {
  const lines = Array.from({ length: rows }, (_, row) => ({
    said: `word ${row}`,
    response: row % 4 === 0 ? `<img src=x> @team | ${row}` : `word ${row}`,
  }))
  const task = {
    type: "chat-completion",
    metrics: {
      same: { type: "string-check", params: { check: ["{{ sample.output_text }}", "equals", "{{ item.said }}"] } },
    },
  }
  const target = { type: "rows", rows: lines }
  folder.write(name, JSON.stringify({ target, config: { type: "custom", name: "echoes", tasks: { say: task } } }))
}

const assay = (words: readonly string[], options: RunOptions = {}) =>
  runCommand(["eval", ...words], { cwd: folder.path, ...options })
const read = (path: string) => readFileSync(join(folder.path, path), "utf8")

describe("--summary of assay eval", () => {
  it(
    "writes the verdict of the exit code, the gate that decides, scores and worst rows",
    verifies("cli.eval.summary"),
    async () => {
      write("eval.json", 40)
      const gate = (limit: string, ...more: string[]) =>
        assay(["run", "eval.json", "--overwrite", "--out", "out", "--gate", `say.same>=${limit}`, "--summary", ...more])
      const failed = await gate("0.95", "summary.md", "--json")
      const text = read("summary.md")
      expect([failed.exitCode, text]).toEqual([
        1,
        expect.stringMatching(/^## ❌ FAIL: echoes\n\n- The gate .* fails: the value is 0\.75/),
      ])
      expect(text).toMatch(/\| <code>say\.same\.string-check<\/code> \| 0\.75 \| 0\.\d+ to 0\.\d+ \| 40 \| 0 \|/)
      expect(text).toMatch(/### Worst rows\n[^]*\| <code>say\/0<\/code> \| <code>same\.string-check<\/code> 0 \|/)
      expect(text).not.toMatch(/<img|@team|cost/)
      expect(text).toContain("- Report: <code>./out/results/report.html</code>")
      const open = await gate("0.75", "-")
      expect([open.exitCode, open.stdout]).toEqual([3, expect.stringMatching(/^## ⚠️ INCONCLUSIVE: echoes\n/)])
      const passed = await assay(["results", "out", "--gate", "say.same>=0.5", "--summary", "-"])
      expect([passed.exitCode, passed.stdout]).toEqual([0, expect.stringMatching(/^## ✅ PASS: echoes\n/)])
      const results = await assay(["results", "./out", "--gate", "say.same>=0.5", "--summary", "-"])
      expect([results.exitCode, results.stdout]).toEqual([
        0,
        expect.stringMatching(/^## ✅ PASS: echoes\n[^]*### Worst rows/),
      ])
    },
  )

  it("appends to the step summary of GitHub and replaces any other file", verifies("cli.eval.summary"), async () => {
    write("eval.json", 4)
    folder.write("step.md", "# from another step\n")
    const env = { GITHUB_STEP_SUMMARY: join(folder.path, "step.md") }
    for (const name of ["step.md", "step.md", "own.md", "own.md"]) {
      expect((await assay(["run", "eval.json", "--summary", name], { env })).exitCode).toBe(0)
    }
    expect(read("step.md")).toMatch(/^# from another step\n\n## ℹ️ COMPLETED[^]*\n## ℹ️ COMPLETED/)
    expect(read("own.md").match(/^## /gm)).toHaveLength(1)
    folder.write("step.md", "x".repeat(1024 * 1024 - 200))
    await assay(["run", "eval.json", "--summary", "step.md"], { env })
    expect(read("step.md").length).toBeLessThanOrEqual(1024 * 1024)
  })

  it("says what changed against a baseline, also for eval compare", async () => {
    write("eval.json", 40)
    await assay(["run", "eval.json", "--out", "before", "--overwrite"])
    const run = await assay(["run", "eval.json", "--against", "./before", "--summary", "against.md"])
    expect([run.exitCode, read("against.md")]).toEqual([
      0,
      expect.stringContaining("### Against the baseline <code>./before</code>"),
    ])
    expect(read("against.md")).toMatch(
      /^## ✅ PASS: echoes\n\n- No row changed against the baseline\.\n[^]*\| PASS, no row changed \|/,
    )
    await assay(["run", "eval.json", "--out", "after"])
    const compared = await assay(["compare", "./before", "./after", "--summary", "-"])
    expect([compared.exitCode, compared.stdout]).toEqual([
      0,
      expect.stringMatching(/^## ✅ PASS: \.\/after\n[^]*No row changed\. Equal results are PASS, and/),
    ])
  })

  it("replaces reports and no other files, and says so before anything is asked", async () => {
    write("eval.json", 4)
    folder.write("notes.md", "# Notes of mine\n")
    await assay(["run", "eval.json", "--out", "kept", "--junit", "junit.xml", "--summary", "own.md"])
    for (const [words, option] of [
      [["run", "eval.json", "--summary", "notes.md"], "--summary 'notes.md'"],
      [["run", "eval.json", "--junit", "eval.json"], "--junit 'eval.json'"],
      [["run", "eval.json", "--junit", "own.md"], "--junit 'own.md'"],
      [["results", "./kept", "--summary", "eval.json"], "--summary 'eval.json'"],
      [["compare", "./kept", "./none", "--summary", "notes.md"], "--summary 'notes.md'"],
    ] as const) {
      const { exitCode, stderr } = await assay([...words])
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringContaining(`${option} is a file that exists, and not a report in`),
      ])
    }
    expect(read("notes.md")).toBe("# Notes of mine\n")
    const again = ["run", "eval.json", "--junit", "junit.xml", "--summary", "own.md"]
    expect((await assay(again)).exitCode).toBe(0)
  })

  it("says why a run could not begin", async () => {
    folder.write("wrong.json", JSON.stringify({ target: { type: "rows", rows: [] }, config: { type: "custom" } }))
    const { exitCode } = await assay(["run", "wrong.json", "--summary", "wrong.md"])
    expect([exitCode, read("wrong.md")]).toEqual([2, expect.stringMatching(/^## ❌ ERROR: wrong\.json\n\n- .+\n/)])
  })

  it("is refused without a name, and on stdout beside JSON", async () => {
    for (const words of [
      ["--summary", ""],
      ["--summary", "-", "--json"],
    ]) {
      const { exitCode, stderr } = await assay(["run", "eval.json", ...words])
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--summary")])
    }
  })
})
