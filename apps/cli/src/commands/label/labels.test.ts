import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { LabelReport } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { startServer, type TestServer } from "../../testing/start-server.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const folder = makeTemporaryFolder()
const METRIC = ["--metric", "helpful"]
const ROWS = Array.from({ length: 60 }, (_, row) => ({ answer: row % 3 === 0 ? "no" : "yes", text: `answer ${row}` }))
let server: TestServer
let job: string
beforeAll(async () => {
  const metrics = { helpful: { type: "string-check", params: { check: ["{{ item.answer }}", "equals", "yes"] } } }
  const config = { type: "custom", tasks: { qa: { type: "data", metrics } } }
  folder.write("eval.json", JSON.stringify({ target: { type: "rows", rows: ROWS }, config }))
  server = await startServer()
  const env = { ASSAY_URL: server.url }
  job = (JSON.parse((await run(["eval", "launch", "eval.json", "--json"], { env })).stdout) as { id: string }).id
  await run(["eval", "watch", job], { env })
  await run(["eval", "run", "eval.json", "--local", "--out", "results"])
})
afterAll(async () => {
  await server.stop()
  folder[Symbol.dispose]()
})

const run = (words: readonly string[], more: object = {}) => runCommand(words, { cwd: folder.path, ...more })

/** Fills in a file of `label next`: the people agree with the judge but for each fifth row. */
function fillIn(name: string): void {
  const lines = readFileSync(join(folder.path, name), "utf8").trim().split("\n")
  const filled = lines.map((line, at) => {
    const row = JSON.parse(line) as { item: { answer: string } }
    return JSON.stringify({ ...row, label: (row.item.answer === "yes") === at % 5 > 0 })
  })
  folder.write(name, `${filled.join("\n")}\n`)
}

describe.each(["a job of a server", "a folder of results"])("assay label for %s", (kind) => {
  const isServer = kind === "a job of a server"
  const label = (...words: string[]) =>
    run(["label", words[0] ?? "", isServer ? job : "./results", ...words.slice(1)], {
      env: isServer ? { ASSAY_URL: server.url } : {},
    })
  const sheet = isServer ? "server.jsonl" : "folder.jsonl"

  it(
    "draws rows into a file, adds the labels that people write, and reports the corrected mean",
    verifies("eval.labels.report"),
    async () => {
      expect((await label("report")).stdout).toMatch(/judge alone +0\.667[^]*not validated/)
      const drawn = await label("next", "--limit", "40", "--out", sheet)
      expect([drawn.exitCode, drawn.stdout]).toEqual([0, expect.stringContaining(`wrote 40 rows to ${sheet}`)])
      expect((await label("next", ...METRIC, "--out", sheet)).stderr).toMatch(/can't be created/)
      fillIn(sheet)
      const added = await label("add", sheet, "--author", "ann")
      expect([added.exitCode, added.stdout]).toEqual([0, expect.stringMatching(/^added 40 labels to /)])
      const { stdout } = await label("report", ...METRIC)
      expect(stdout).toMatch(/people alone +\S+ +\S+ to \S+ +40 labels/)
      expect(stdout).toMatch(/judge, corrected by people +\S+ +\S+ to \S+ +60 rows, 40 labels/)
      expect((await label("report", ...METRIC, "--html", "pages/labels.html")).stdout).toMatch(
        /^report: pages\/labels\.html$/m,
      )
      expect(readFileSync(join(folder.path, "pages/labels.html"), "utf8")).toMatch(
        /<h1>helpful\.string-check, corrected by people<\/h1>[^]*<g class="estimate chosen">/,
      )
      const report = JSON.parse((await label("report", ...METRIC, "--json")).stdout) as LabelReport
      expect(report).toMatchObject({ labels: 40, metric: "helpful.string-check" })
      expect(report.worth).toBeGreaterThan(40)
    },
  )

  it("lists labels as a table and as CSV, and draws the rows without one", verifies("eval.labels.queue"), async () => {
    expect((await label("list", ...METRIC)).stdout).toMatch(
      /ROW +LABEL +AUTHOR[^]*qa\/\d+ +[01] +ann +yes[^]*40 labels\n$/,
    )
    const csv = (await label("list", ...METRIC, "--csv")).stdout.split("\r\n")
    expect([csv.length, csv[0]]).toEqual([42, expect.stringMatching(/^task,row_index,repeat,metric,label,author/)])
    const { stdout } = await label("next", ...METRIC, "--limit", "100")
    expect(stdout).toMatch(/40 of 60 rows have a label/)
    expect(stdout.match(/^qa\//gm)).toHaveLength(20)
    expect(stdout).not.toContain("string-check: ")
  })

  it.each([
    ["a line that is not JSON", "no", /bad\.jsonl:1: the line is not JSON/],
    [
      "a label that is not a number",
      '{"task":"qa","row_index":0,"metric":"helpful","label":"perhaps"}',
      /bad\.jsonl:1: "label" is "perhaps"; write a number from 0 to 1 \(yes is 1, no is 0\)/,
    ],
    [
      "a label that is not on the scale",
      '{"task":"qa","row_index":0,"metric":"helpful","label":100}',
      /The label 100 of row 0 is not on the scale of 'helpful\.string-check'; give a number from 0 to 1/,
    ],
    ["no metric", '{"task":"qa","row_index":0,"label":1}', /it has no "metric"/],
    ["no label at all", '{"task":"qa","row_index":0,"label":null}', /no line with a "label"/],
    ["a row that is not there", '{"task":"qa","row_index":99,"metric":"helpful","label":1}', /no row 99 of task 'qa'/],
  ])("refuses a file with %s", async (_what, line, message) => {
    folder.write("bad.jsonl", `${line}\n`)
    const { exitCode, stderr } = await label("add", "bad.jsonl")
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)])
  })
})

describe("assay label add without a file", () => {
  it("asks for one label after the other, and keeps each at once", verifies("eval.labels.kept"), async () => {
    const input = "y\nno much too long\nperhaps\n0.5\n"
    const { exitCode, stderr } = await run(
      ["label", "add", "./results", ...METRIC, "--labels", "typed.jsonl", "--author", "bob", "--limit", "5"],
      { input },
    )
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(
      /Type y \(1\) or n \(0\)[^]*1\/5 label> [^]*3\/5 label> Type y[^]*3\/5 label> [^]*3 labels added/,
    )
    const kept = readFileSync(join(folder.path, "typed.jsonl"), "utf8").trim().split("\n")
    expect(kept.map((line) => JSON.parse(line))).toMatchObject([
      { label: 1, author: "bob", probability: 1, draw: expect.stringMatching(/^random-1-[0-9a-f]{12}$/) },
      { label: 0, note: "much too long" },
      { label: 0.5 },
    ])
  })
})

describe("assay eval run with a metric that names labels", () => {
  const write = (labels: string) => {
    const check = ["{{ item.answer }}", "equals", "yes"]
    const metrics = { helpful: { type: "string-check", params: { check }, labels } }
    const config = { type: "custom", tasks: { qa: { type: "data", metrics } } }
    folder.write("corrected.json", JSON.stringify({ target: { type: "rows", rows: ROWS }, config }))
  }
  const runCorrected = (...words: string[]) =>
    run(["eval", "run", "corrected.json", "--out", "corrected", "--force", ...words])

  it("prints the corrected score, and so do its results and report", verifies("eval.labels.option"), async () => {
    for (const labels of ["./labels.jsonl", "."]) {
      write(labels)
      const shown = /qa\.helpful\.string-check +MEAN[^]*judge, corrected by people +\S+ +\S+ to \S+ +60 rows, 40 labels/
      expect((await runCorrected("--local")).stdout).toMatch(shown)
      expect((await run(["eval", "results", "./corrected"])).stdout).toMatch(shown)
    }
    expect(readFileSync(join(folder.path, "corrected/results/report.html"), "utf8")).toContain("Corrected by people")
  })

  it("decides a gate by the corrected mean if it says so", verifies("gates.corrected"), async () => {
    write("./labels.jsonl")
    const gate = (limit: number) => ["--local", "--gate", `qa.helpful.string-check corrected by people>=${limit}`]
    const passed = await runCorrected(...gate(0.2))
    expect([passed.exitCode, passed.stdout]).toEqual([
      0,
      expect.stringMatching(/qa\.helpful\.string-check corrected by people >= 0\.2 +0\.\d+ +0\.\d+ to 0\.\d+ +PASS/),
    ])
    expect((await runCorrected(...gate(0.99))).exitCode).toBe(1)
    const uncorrected = await run(["eval", "run", "eval.json", ...gate(0.2)])
    expect([uncorrected.exitCode, uncorrected.stderr]).toEqual([2, expect.stringContaining("its metric has no labels")])
    folder.write("none.jsonl", "")
    write("./none.jsonl")
    expect((await runCorrected(...gate(0.2))).exitCode).toBe(3)
  })

  it("refuses labels that are not there", verifies("eval.labels.option"), async () => {
    write("./absent.jsonl")
    const { exitCode, stderr } = await runCorrected("--local")
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/There are no labels at '\.\/absent\.jsonl'/)])
  })
})
