import { cpSync, existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import type { ArenaReport } from "@assay/schemas"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../../testing/run-command.ts"
import { makeTemporaryFolder } from "../../../testing/temporary-folder.ts"

const EXAMPLE = fileURLToPath(new URL("../../../../../../examples/arena", import.meta.url))

const folder = makeTemporaryFolder()
let endpoint: FakeInference
beforeAll(async () => {
  endpoint = await startFakeInference()
  cpSync(EXAMPLE, folder.path, { recursive: true })
  folder.write(
    "arena.yaml",
    readFileSync(join(EXAMPLE, "arena.yaml"), "utf8").replaceAll("http://127.0.0.1:9000", endpoint.url),
  )
})
afterAll(async () => {
  await endpoint.close()
  folder[Symbol.dispose]()
})

const assay = (...words: string[]) => runCommand(words, { cwd: folder.path })
const reportOf = (text: string) => JSON.parse(text) as ArenaReport
const file = (text: string) => folder.write("other.yaml", text.replaceAll("URL", `${endpoint.url}/v1`))

describe("assay eval arena", () => {
  it(
    "ends when the best model is certain, and asks for no answer again",
    verifies("arena.ends", "arena.resumed"),
    async () => {
      const begun = await assay("eval", "arena", "arena.yaml", "--max-calls", "20", "--json")
      expect([begun.exitCode, reportOf(begun.stdout).ended, begun.stderr]).toEqual([3, "calls", ""])
      const asked = endpoint.requests.length
      const found = await assay("eval", "arena", "arena.yaml", "--json", "--summary", "arena.md")
      expect([found.exitCode, found.stderr]).toEqual([0, ""])
      const report = reportOf(found.stdout)
      expect(report).toMatchObject({ winner: "careful", top: ["careful"], ended: "certain", unreadable: 0 })
      expect(report.models.map(({ model, group }) => [model, group])).toContainEqual(["careful", "a"])
      expect(report.models.slice(1).every(({ group }) => !group.includes("a"))).toBe(true)
      expect(report.models.reduce((sum, { strength }) => sum + strength, 0)).toBeCloseTo(0, 9)
      expect(report.calls).toBeLessThan(0.6 * report.round_robin_calls)
      expect(report.bias.position.rate).toBeGreaterThan(0)
      const keys = endpoint.requests.map(({ body }) => body)
      expect(asked).toBeGreaterThan(0)
      expect(new Set(keys).size).toBe(keys.length)
      const again = await assay("eval", "arena", "arena.yaml", "--replay-only")
      expect(again.exitCode).toBe(0)
      expect(again.stdout).toMatch(/^MODEL +GROUP +STRENGTH/)
      expect(again.stdout).toMatch(/\nThe best model is careful \(wrong with a probability of at most 0\.05\)\.\n/)
      expect(
        Math.max(
          ...again.stdout
            .split("\n")
            .slice(0, 4)
            .map((line) => line.length),
        ),
      ).toBeLessThanOrEqual(80)
      expect(endpoint.requests).toHaveLength(keys.length)
      expect(readFileSync(join(folder.path, "arena.md"), "utf8")).toMatch(/^## ✅ Arena\n\nThe best model is careful/)
      const lines = readFileSync(join(folder.path, ".assay-eval/arena-arena/matches.jsonl"), "utf8").trim().split("\n")
      expect(lines).toHaveLength(report.matches)
    },
  )

  it("asks everything with --all, also answers in a folder of results", verifies("arena.all"), async () => {
    folder.write(
      "run.yaml",
      `model: ${endpoint.url}/v1#careful-writer\ndata: questions.jsonl\nprompt: { system: You help the customers of a shop., user: "{{ question }}" }\nchecks: [latency]\n`,
    )
    expect((await assay("eval", "run", "run.yaml", "--out", "old")).exitCode).toBe(0)
    file(`models: { old: ./old, plain: "URL#plain-writer" }
dataset: questions.jsonl
params: { template: "{{ question }}" }
judge: { model: "URL#pair-judge" }
`)
    const before = endpoint.requests.length
    const found = await assay("eval", "arena", "other.yaml", "--all", "--limit", "40", "--json")
    expect(found.exitCode).toBe(0)
    const report = reportOf(found.stdout)
    expect(report).toMatchObject({ winner: "old", ended: "all", matches: 40, rows: { drawn: 40, total: 40 } })
    const models = endpoint.requests.slice(before).map(({ chat }) => chat?.model)
    expect(new Set(models)).toEqual(new Set(["plain-writer", "pair-judge"]))
  })

  it("names no winner of equal models, with exit code 3", verifies("arena.ends"), async () => {
    file(`models: { one: "URL#plain-writer", two: "URL#plain-writer" }
dataset: questions.jsonl
params: { template: "{{ question }}" }
judge: { model: "URL#pair-judge" }
`)
    const { exitCode, stdout } = await assay("eval", "arena", "other.yaml", "--json", "--out", "equal", "--limit", "10")
    expect(exitCode).toBe(3)
    expect(reportOf(stdout)).toMatchObject({
      winner: null,
      calls: 0,
      models: [
        { strength: 0, group: "a", ties: 10 },
        { strength: 0, group: "a", ties: 10 },
      ],
      bias: { position: { rate: null }, longer_wins: { rate: null } },
    })
  })

  it("counts rows that come twice once, so that they prove nothing", verifies("arena.ends"), async () => {
    const rows = Array.from({ length: 40 }, (_, id) => JSON.stringify({ id, question: "Where is my parcel?" }))
    folder.write("twice.jsonl", rows.join("\n"))
    file(`models: { one: "URL#careful-writer", two: "URL#plain-writer" }
dataset: twice.jsonl
params: { template: "{{ question }}" }
judge: { model: "URL#pair-judge" }
`)
    const { exitCode, stdout } = await assay("eval", "arena", "other.yaml", "--json", "--out", "twice")
    expect(reportOf(stdout)).toMatchObject({ winner: null, matches: 1, repeated: 39, rows: { drawn: 40 } })
    expect(exitCode).toBe(3)
    const all = await assay("eval", "arena", "other.yaml", "--all", "--out", "twice")
    expect([all.exitCode, all.stdout]).toEqual([3, expect.stringContaining("39 matches have the question and")])
  })

  it.each([
    ["models: { a: ./x }\ndataset: q\njudge: { model: 'URL#pair-judge' }", /other\.yaml:1:9: .*2 to 26|models/s],
    [
      "models: { a: ./x, b: ./y }\ndataset: q\njuge: { model: 'URL#pair-judge' }",
      /other\.yaml:3:1: .*did you mean 'judge'/,
    ],
    [
      "models: { a: ./x, b: ./y }\ndataset: q\nparams: { top: 2 }\njudge: { model: 'URL#pair-judge' }",
      /top.*is 2, and there are 2 models/,
    ],
    [
      "models: { a: 'http://x/v1', b: ./y }\ndataset: q\njudge: { model: 'URL#pair-judge' }",
      /is an address without a model/,
    ],
    [
      "models: { a: ./nothing, b: ./y }\ndataset: questions.jsonl\njudge: { model: 'URL#pair-judge' }",
      /Model 'a' of the arena: './,
    ],
    [
      "models: { a: 'URL#none', b: 'URL#chat' }\ndataset: questions.jsonl\nparams: { template: '{{ question }}' }\njudge: { model: 'URL#pair-judge' }",
      /Model 'a' of the arena: /,
    ],
    [
      "models: { a: 'URL#echo', b: 'URL#chat' }\ndataset: questions.jsonl\nparams: { template: '{{ question }}' }\njudge: { model: 'URL#chat' }",
      /None of the first \d+ verdicts of the judge can be read/,
    ],
  ])("refuses a file that can't work: %s", verifies("arena.file"), async (text, message) => {
    file(text)
    const { exitCode, stderr } = await assay("eval", "arena", "other.yaml", "--out", "refused")
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(message)
  })

  it("does not write into a folder of something else", verifies("arena.file"), async () => {
    folder.write("mine/notes.txt", "mine")
    const { exitCode, stderr } = await assay("eval", "arena", "arena.yaml", "--out", "mine")
    expect([exitCode, existsSync(join(folder.path, "mine/arena.json"))]).toEqual([2, false])
    expect(stderr).toMatch(/files that no arena wrote/)
  })
})

it(
  "A pairwise judge compares with the answers of another run, and its stored answers are read again",
  verifies("metric.pairwise", "bundles.recomputed"),
  async () => {
    const evaluation = (model: string, check: string) =>
      `model: ${endpoint.url}/v1#${model}\ndata: questions.jsonl\nprompt: "{{ question }}"\nchecks: [${check}]\n`
    folder.write("before.yaml", evaluation("plain-writer", "latency"))
    const pair = `pairwise: { ask: Which one is more helpful?, model: ${endpoint.url}/v1#pair-judge, against: { job: ./before } }`
    folder.write("after.yaml", evaluation("careful-writer", pair))
    expect((await assay("eval", "run", "before.yaml", "--out", "before", "--limit", "20")).exitCode).toBe(0)
    const run = await assay("eval", "run", "after.yaml", "--out", "after", "--limit", "20")
    expect([run.exitCode, run.stderr]).toEqual([0, ""])
    for (const score of ["pairwise", "tie", "position_bias", "longer_wins"]) {
      expect(run.stdout).toMatch(new RegExp(String.raw`answers\.pairwise\.${score} +[\d.]+ +[\d.]+ to [\d.]+`))
    }
    const rows = readFileSync(join(folder.path, "after/results/rows.jsonl"), "utf8").trim().split("\n")
    const texts = readFileSync(join(folder.path, "before/results/rows.jsonl"), "utf8")
    for (const row of rows) {
      const { compared_with: other } = JSON.parse(row) as { compared_with: { pairwise: string } }
      expect(texts).toContain(JSON.stringify(other.pairwise))
    }
    const asked = endpoint.requests.length
    const again = await assay("eval", "rescore", "./after", "--with", "after.yaml", "--out", "again")
    expect([again.exitCode, again.stderr]).toEqual([0, ""])
    const models = endpoint.requests.slice(asked).map(({ chat }) => chat?.model)
    expect(new Set(models)).toEqual(new Set(["pair-judge"]))
    rmSync(join(folder.path, "before"), { recursive: true })
    // The older answers are gone, and everything is still recomputed from what the rows have.
    folder.write("private.pem", KEY)
    const bundle = await assay("eval", "bundle", "./after", "-o", "v.assay", "--key", "private.pem")
    expect([bundle.exitCode, bundle.stderr]).toEqual([0, ""])
    const verified = await assay("verify", "v.assay", "--json")
    expect(JSON.parse(verified.stdout)).toMatchObject({ differences: [] })
    folder.write("none.yaml", evaluation("careful-writer", pair.replace("./before", "./nowhere")))
    const none = await assay("eval", "run", "none.yaml", "--out", "none")
    expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining("nowhere")])
  },
)

/** For tests. */
const KEY = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
-----END PRIVATE KEY-----
`
