import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Comparison, PairLabelQueue } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { startServer, type TestServer } from "../../testing/start-server.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const folder = makeTemporaryFolder()
const METRIC = ["--metric", "helpful"]
const MARGIN = ["--margin", "0.05"]
const ROWS = 120
let server: TestServer
const jobs: string[] = []

/** People find 9 of 10 answers of `before` good and 5 of 10 of `after`; the judge finds 9 of 10 of both good. */
function evaluationOf(name: string): string {
  const isGood = (row: number) => (name === "before" ? row % 10 > 0 : row % 2 > 0)
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const words = [name, row, isGood(row) ? "good" : "bad", row % 10 === 0 ? "hm" : ""]
    return { question: `question ${row}`, response: words.join(" ").trim() }
  })
  const metrics = {
    helpful: { type: "string-check", params: { check: ["{{ item.response }}", "not contains", "hm"] } },
  }
  const config = { type: "custom", tasks: { qa: { type: "data", metrics } } }
  return JSON.stringify({ target: { type: "rows", rows }, config })
}

const run = (words: readonly string[], more: object = {}) => runCommand(words, { cwd: folder.path, ...more })

beforeAll(async () => {
  server = await startServer()
  const env = { ASSAY_URL: server.url }
  for (const name of ["before", "after"]) {
    folder.write(`${name}.json`, evaluationOf(name))
    jobs.push(
      (JSON.parse((await run(["eval", "launch", `${name}.json`, "--json"], { env })).stdout) as { id: string }).id,
    )
    await run(["eval", "run", `${name}.json`, "--local", "--out", name])
  }
  for (const job of jobs) await run(["eval", "watch", job], { env })
})
afterAll(async () => {
  await server.stop()
  folder[Symbol.dispose]()
})

/** Fills in a sheet with what people say. */
function fillIn(name: string): void {
  const lines = readFileSync(join(folder.path, name), "utf8").trim().split("\n")
  const filled = lines.map((line) => {
    const row = JSON.parse(line) as { item: { response: string } }
    return JSON.stringify({ ...row, label: row.item.response.includes("good") })
  })
  folder.write(name, `${filled.join("\n")}\n`)
}

describe.each(["jobs of a server", "folders of results"])("comparing %s by what people would see", (kind) => {
  const isServer = kind === "jobs of a server"
  const prefix = isServer ? "server" : "folder"
  const sides = () => (isServer ? jobs : ["./before", "./after"])
  const env = () => (isServer ? { ASSAY_URL: server.url } : {})
  const assay = (...words: string[]) => run(words, { env: env() })
  const place = (name: string) => ["--labels", isServer ? `default/${name}` : `${name}.jsonl`]
  const compare = (...more: string[]) => assay("eval", "compare", ...sides(), ...MARGIN, "--corrected", ...more)

  it(
    "says how many labels it takes, and then decides against the judge",
    verifies("corrected.comparison"),
    async () => {
      const none = await compare()
      expect([none.exitCode, none.stdout]).toEqual([
        3,
        expect.stringMatching(/it takes at least 10 labels on each side, of 120 answers that differ/),
      ])
      for (const [at, side] of sides().entries()) {
        const sheet = `${prefix}-${at}.jsonl`
        await assay("label", "next", side, ...METRIC, "--limit", "60", "--out", sheet)
        fillIn(sheet)
        await assay("label", "add", side, sheet, ...place("fixed"))
      }
      const { exitCode, stdout } = await compare(...place("fixed"), "--json")
      expect(exitCode).toBe(1)
      expect(JSON.parse(stdout) as Comparison).toMatchObject({
        verdict: "FAIL",
        scores: [{ pairs: [{ corrected: { verdict: "FAIL", labels: 120, covers: "rows-like-these" } }] }],
      })
    },
  )

  it(
    "names rows of both until it is decided, and decides the same afterwards",
    verifies("corrected.sequential"),
    async () => {
      const words = ["label", "next", ...sides(), ...METRIC, ...MARGIN, "--until-decided", ...place("decided")]
      const perRound = isServer ? 60 : 10
      let rounds = 0
      for (; rounds < 12; rounds++) {
        const sheet = `${prefix}-decided-${rounds}.jsonl`
        const next = await assay(...words, "--limit", String(perRound), "--out", sheet)
        if (next.stdout.startsWith("decided")) break
        expect(next.stdout).toMatch(/wrote \d+ rows to [^]*assay label add [^]*--until-decided/)
        fillIn(sheet)
        for (const side of sides()) {
          const added = await assay("label", "add", side, sheet, ...place("decided"))
          expect(added.stdout).toMatch(/added \d+ labels to .*; \d+ lines are rows of the other job/)
        }
      }
      expect(rounds).toBeGreaterThan(0)
      expect(rounds * perRound).toBeLessThan(ROWS)
      const queue = JSON.parse((await assay(...words, "--json")).stdout) as PairLabelQueue
      expect(queue).toMatchObject({
        is_decided: true,
        data: [],
        labelled: rounds * perRound,
        corrected: { verdict: "FAIL" },
      })
      const found = JSON.parse((await compare(...place("decided"), "--json")).stdout) as Comparison
      expect(found.scores[0]?.pairs[0]?.corrected).toEqual(queue.corrected)
      expect(queue.corrected).toMatchObject({ covers: "these-rows", interval: { method: "betting" } })
      // The rows are a sample of both jobs, and not of one alone.
      const report = await assay("label", "report", sides()[0] ?? "", ...METRIC, ...place("decided"))
      expect(report.stdout).toContain("labels of picked rows are not used")
    },
  )
})

describe("comparing folders of results by what people would see", () => {
  const folders = ["./before", "./after"]

  it("prints the difference beside that of the judge", verifies("corrected.comparison"), async () => {
    const { exitCode, stdout } = await run([
      "eval",
      "compare",
      ...folders,
      ...MARGIN,
      "--corrected",
      "--labels",
      "fixed.jsonl",
    ])
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringMatching(
        /AS PEOPLE WOULD SEE IT[^]*helpful\.string-check +-0\.\d+ +-0\.\d+ to -0\.\d+ +60 \+ 60 +120 +FAIL/,
      ),
    ])
    const uncorrected = await run(["eval", "compare", ...folders, ...MARGIN])
    expect(uncorrected.stdout).not.toContain("AS PEOPLE WOULD SEE IT")
    expect((await run(["label", "next", ...folders, ...METRIC, "--until-decided"])).stdout).toMatch(
      /^ROW +ITEM +OUTPUT[^]*not decided yet: 0 of 120 answers that differ/,
    )
  })

  it.each([
    ["one job", ["label", "next", "./before", ...METRIC, "--until-decided"], "give two jobs"],
    ["no end", ["label", "next", ...folders, ...METRIC], "add --until-decided"],
    [
      "an unknown score",
      ["label", "next", ...folders, "--metric", "none", "--until-decided"],
      "has no score 'none'; it has 'qa.helpful.string-check'",
    ],
    ["labels of nothing", ["eval", "compare", ...folders, "--labels", "fixed.jsonl"], "add --corrected"],
    [
      "missing labels",
      ["eval", "compare", ...folders, "--corrected", "--labels", "absent.jsonl"],
      "There are no labels at",
    ],
  ])("refuses %s", async (_what, words, message) => {
    const { exitCode, stderr } = await run(words)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})
