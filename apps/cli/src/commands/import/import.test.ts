import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createFakeModels, type FakeInference, startFakeInference } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts"

let model: FakeInference
let folder: TemporaryFolder
beforeAll(async () => {
  model = await startFakeInference({ models: createFakeModels() })
})
afterAll(() => model.close())
beforeEach(() => {
  folder = makeTemporaryFolder()
  return () => folder[Symbol.dispose]()
})

const run = (...words: readonly string[]) => runCommand(words, { cwd: folder.path })

describe("assay import promptfoo", () => {
  beforeEach(() => {
    const config = `
providers: [exec:./model.sh]
prompts: ["Say {{ word }}"]
tests:
  - vars: { word: [tea, coffee] }
    assert: [{ type: contains, value: "{{ word }}" }, { type: not-icontains, value: MILK }]
  - vars: { word: milk }
    threshold: 0.5
    assert: [{ type: contains, value: tea }, { type: javascript, value: "true" }, { type: not-contains, value: x, weight: 3 }]
`
    folder.write("promptfooconfig.yaml", config)
  })

  it("writes a file that runs, and a table of what was mapped and left out", async () => {
    const { exitCode, stdout } = await run(
      "import",
      "promptfoo",
      "promptfooconfig.yaml",
      "--model",
      `${model.url}/v1#echo`,
    )
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^promptfooconfig\.yaml:6:\d+ +contains +3 +mapped +string-check$/m)
    expect(stdout).toMatch(/^promptfooconfig\.yaml:9:\d+ +javascript +1 +left out +it runs code of yours/m)
    expect(stdout).toContain(
      "wrote evaluation.rows.jsonl, evaluation.yaml: 3 rows, 1 part left out\nnext: assay eval run ./evaluation.yaml\n",
    )
    const result = await run("eval", "run", "evaluation.yaml", "--out", "out")
    expect([result.exitCode, result.stderr]).toEqual([0, expect.any(String)])
    expect(result.stdout).toMatch(/^prompt\.test\.passed >= 1 on these rows +1 +– +PASS$/m)
    expect(result.stdout).toMatch(/prompt\.test\.passed +1 /)
    expect(result.stdout).toMatch(/prompt\.test\.not-contains +1 .* 1 +0 +0 +0\n/)
  })

  it("writes a file whose run fails if a test does, as promptfoo does", async () => {
    const config = `
providers: [exec:./model.sh]
prompts: ["Say {{ word }}", "Write {{ word }}"]
tests: [{ vars: { word: tea }, assert: [{ type: contains, value: Say }] }]
`
    folder.write("promptfooconfig.yaml", config)
    await run("import", "promptfoo", "promptfooconfig.yaml", "--model", `${model.url}/v1#echo`)
    expect(readFileSync(join(folder.path, "evaluation.yaml"), "utf8")).toContain("exits with 1 if a test fails")
    const result = await run("eval", "run", "evaluation.yaml")
    expect(result.exitCode).toBe(1)
    expect(result.stdout).toMatch(/^prompt-1\.test\.passed >= 1 on these rows +1 +– +PASS$/m)
    expect(result.stdout).toMatch(/^prompt-2\.test\.passed >= 1 on these rows +0 +– +FAIL$/m)
  })

  it("does not replace files unless it is forced", async () => {
    folder.write("evaluation.yaml", "mine")
    const words = ["import", "promptfoo", "promptfooconfig.yaml", "--model", `${model.url}/v1#echo`]
    const refused = await run(...words)
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("give --force to replace it")])
    expect(readFileSync(join(folder.path, "evaluation.yaml"), "utf8")).toBe("mine")
    expect(existsSync(join(folder.path, "evaluation.rows.jsonl"))).toBe(false)
    expect((await run(...words, "--force", "--json")).exitCode).toBe(0)
  })

  it("is named by `eval run` of such a file", async () => {
    const { exitCode, stderr } = await run("eval", "run", "promptfooconfig.yaml")
    expect(exitCode).not.toBe(0)
    expect(stderr).toContain(
      "This is a configuration of promptfoo, not an evaluation file; `assay import promptfoo promptfooconfig.yaml`",
    )
  })

  it.each(["nowhere", "http://127.0.0.1:1/v1", "#name", "http://127.0.0.1:1/v1#"])(
    "refuses the model '%s'",
    async (written) => {
      const { exitCode, stderr } = await run("import", "promptfoo", "promptfooconfig.yaml", "--model", written)
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining("is not a model; write its address and its name")])
    },
  )
})

it("assay import inspect writes rows with their scores, which run", async () => {
  const sample = {
    id: 1,
    epoch: 1,
    input: "Q",
    target: "A",
    output: { completion: "A" },
    scores: { match: { value: "C" } },
  }
  folder.write("log.json", JSON.stringify({ eval: { task: "qa" }, samples: [sample, { ...sample, epoch: 2 }] }))
  const { stdout } = await run("import", "inspect", "log.json", "--out", "qa.yaml")
  expect(stdout).toContain("wrote qa.rows.jsonl, qa.yaml: 2 rows")
  const result = await run("eval", "run", "qa.yaml", "--out", "out")
  expect([result.exitCode, result.stdout]).toEqual([0, expect.stringMatching(/qa\.match\.given +1 /)])
})

it("assay import lm-eval writes an evaluation of the rows that are given", async () => {
  folder.write(
    "task.yaml",
    'task: sums\ndoc_to_text: "{{q}} ="\ndoc_to_target: "{{a}}"\nmetric_list: [{ metric: exact_match }]\n',
  )
  folder.write("rows.csv", "q,a\n1 + 1,2\n")
  const words = ["import", "lm-eval", "task.yaml", "--data", "rows.csv"]
  expect((await run(...words)).stderr).toContain("give --model URL#name")
  const { stdout, exitCode } = await run(...words, "--model", `${model.url}/v1#echo`, "--chat")
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("next: assay eval run ./evaluation.yaml")])
  const result = await run("eval", "run", "evaluation.yaml", "--out", "out")
  expect([result.exitCode, result.stdout]).toEqual([0, expect.stringMatching(/sums\.exact_match\.string-check +0 /)])
})

it("assay eval doctor says what results can answer, and its file runs", async () => {
  const rows = Array.from({ length: 12 }, (_, at) => `{"id": ${at}, "correct": ${at % 3 !== 0}}\n`)
  folder.write("results.jsonl", rows.join(""))
  const { stdout } = await run("eval", "doctor", "results.jsonl", "--out", "results.yaml")
  expect(stdout).toMatch(/^12 rows\n\nROLE +COLUMN +VALUES\nscore +correct +numbers from 0 to 1\n/)
  expect(stdout).toContain("yes  intervals of scores\n       assay eval run ./results.yaml\n")
  const result = await run("eval", "run", "results.yaml", "--gate", "results.correct.given>=0.1", "--out", "out")
  expect([result.exitCode, result.stdout]).toEqual([0, expect.stringMatching(/results\.correct\.given +0\.667 /)])
  expect((await run("eval", "doctor", "results.jsonl")).stdout).toContain(
    "first: assay eval doctor results.jsonl --out ./results.yaml",
  )
})
