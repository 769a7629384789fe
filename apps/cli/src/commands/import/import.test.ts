import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createFakeModels, type FakeInference, startFakeInference, verifies } from "@assay/testkit"
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
    expect(stderr).toMatch(
      /This is a configuration of promptfoo, not an evaluation file; [^]* {4}assay import promptfoo promptfooconfig\.yaml\n$/,
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

describe("assay import traces", () => {
  const asked = (id: string, input: readonly object[], output: object) => ({
    traceId: "t1",
    spanId: id,
    startTimeUnixNano: `${id}000000000`,
    attributes: [
      { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
      { key: "session.id", value: { stringValue: "s1" } },
      { key: "gen_ai.input.messages", value: { stringValue: JSON.stringify(input) } },
      { key: "gen_ai.output.messages", value: { stringValue: JSON.stringify([output]) } },
    ],
  })
  const user = { role: "user", content: "Where is order A1?" }
  const call = {
    role: "assistant",
    tool_calls: [{ id: "c", function: { name: "get_order", arguments: '{"id":"A1"}' } }],
  }
  const told = { role: "tool", tool_call_id: "c", content: "shipped" }
  const spans = [asked("1", [user], call), asked("2", [user, call, told], { role: "assistant", content: "shipped" })]
  const tools = [{ type: "function", name: "get_order", parameters: { properties: { id: { type: "string" } } } }]

  it(
    "writes a file that holds the conversations again, and a row of its run can be a test",
    verifies("run.test-row"),
    async () => {
      const [first, second] = spans
      const defined = { key: "gen_ai.tool.definitions", value: { stringValue: JSON.stringify(tools) } }
      const all = [{ ...first, attributes: [...(first?.attributes ?? []), defined] }, second]
      folder.write("t.json", JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: all }] }] }))
      const { exitCode, stdout } = await run("import", "traces", "t.json", "--model", `${model.url}/v1#agent`)
      expect(exitCode).toBe(0)
      expect(stdout).toMatch(/^t\.json, conversation s1 +conversation +1 +mapped +a row$/m)
      expect(stdout).toContain(
        "wrote evaluation.rows.jsonl, evaluation.yaml: 1 row\nnext: assay eval run ./evaluation.yaml\n",
      )
      const result = await run("eval", "run", "evaluation.yaml", "--gate", "same_calls>=0.1", "--out", "out")
      expect(result.stdout).toMatch(/^answers\.same_calls\.calls +1 /m)
      expect(result.stdout).toMatch(/^answers\.like_before\.f1_score +1 /m)

      const words = ["import", "row", "./out", "0", "--out", "tests.jsonl"]
      expect((await run(...words)).stdout).toBe("added answers/0 to tests.jsonl\n")
      expect((await run(...words)).stdout).toBe("tests.jsonl has answers/0 already\n")
      const row = JSON.parse((await run("import", "row", "./out", "answers/0")).stdout) as object
      expect(row).toMatchObject({
        id: "s1",
        turns: [{ user: "Where is order A1?", output_text: "shipped" }],
        tool_answers: { get_order: [{ when: { id: "A1" }, result: "shipped" }] },
        from: { task: "answers", row_index: 0, repeat: 0 },
      })
      const missing = await run("import", "row", "./out", "answers/7")
      expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining("has no row 'answers/7'")])
      expect((await run("import", "row", "./out", "seven")).stderr).toContain("A row is a task and a number")
    },
  )
})

/** Whether this machine has bubblewrap and can use it. */
const hasBubblewrap =
  spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-net", "--proc", "/proc", "/bin/true"]).status === 0

describe.skipIf(!hasBubblewrap)("assay import harbor", () => {
  beforeEach(() => {
    folder.write("tasks/upper/task.toml", "[agent]\ntimeout_sec = 20\n")
    folder.write("tasks/upper/instruction.md", "Write the upper case of in.txt to out.txt.\n")
    folder.write("tasks/upper/environment/Dockerfile", "FROM ubuntu\nENV MODE=on\nWORKDIR /app\nCOPY in.txt ./\n")
    folder.write("tasks/upper/environment/in.txt", "hello\n")
    folder.write("tasks/upper/solution/solve.sh", "tr a-z A-Z < in.txt > out.txt\n")
    folder.write(
      "tasks/upper/tests/test.sh",
      'test "$(cat /app/out.txt)" = HELLO && echo 1 > /logs/verifier/reward.txt\n',
    )
    // An agent that looks for the tests, and leaves traps for the verifier.
    folder.write("tasks/trap/task.toml", "")
    folder.write("tasks/trap/instruction.md", "Nothing.\n")
    folder.write("tasks/trap/environment/Dockerfile", "FROM ubuntu\n")
    folder.write("tasks/trap/solution/solve.sh", "test ! -e /tests/test.sh && echo 1 > /logs/verifier/reward.txt\n")
    folder.write(
      "tasks/trap/tests/test.sh",
      `ls ${folder.path} || echo '{"reward": 0.25}' > /logs/verifier/reward.json\n`,
    )
  })

  it("writes a benchmark that runs the solutions in a sandbox, or an agent", verifies("run.harbor"), async () => {
    const { exitCode, stdout } = await run("import", "harbor", "tasks")
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^tasks\/trap +task +2 +mapped +a score$/m)])
    const solved = await run("eval", "run", "evaluation.yaml", "--out", "out", "--skip-checks")
    expect(solved.stdout).toMatch(/^harbor\.all\.reward +0\.625 /m)
    expect(solved.stdout).toMatch(/^harbor\.upper\.reward +1 /m)

    folder.write(
      "agent/agent.sh",
      'test "$MODE" = on && grep -q upper "$ASSAY_INSTRUCTION" && tr a-z A-Z < /app/in.txt > /app/out.txt\n',
    )
    const words = ["import", "harbor", "tasks/upper", "--agent", "sh /agent/agent.sh", "--agent-files", "agent"]
    expect((await run(...words, "--out", "agent.yaml")).exitCode).toBe(0)
    const ran = await run("eval", "run", "agent.yaml", "--out", "ran", "--skip-checks")
    expect(ran.stdout).toMatch(/^harbor\.all\.reward +1 /m)
  })
})
