import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts"

let server: FakeInference
let folder: TemporaryFolder
beforeAll(async () => {
  server = await startFakeInference()
})
afterAll(() => server.close())
beforeEach(() => {
  folder = makeTemporaryFolder()
  folder.write("questions.csv", "question,answer\na,a\nb,b\nc,d\n")
  return () => folder[Symbol.dispose]()
})

const run = (...words: readonly string[]) => runCommand(words, { cwd: folder.path })

/** Returns the means of a run by name. */
async function meansOf(file: string, ...options: readonly string[]) {
  const { stdout } = await run("eval", "run", file, "--json", ...options)
  const { result } = JSON.parse(stdout) as {
    result: { tasks: Record<string, { metrics: Record<string, { scores: Record<string, { value: number }> }> }> }
  }
  return Object.entries(result.tasks["answers"]?.metrics ?? {}).map(([name, { scores }]) => [name, scores])
}

const SHORT = () => `# A comment.
model: { url: ${server.url}/v1, model: echo, prompt_price: 0.15, completion_price: 0.60 }
data: questions.csv
prompt: "{{ question }}"
checks:
  - equals: "{{ answer }}"
  - judge: { ask: Is there harm? Only yes or no., model: ${server.url}/v1#small-judge }
  - cost < 0.01
gates:
  - equals >= 0.1
`

describe("an evaluation file in the short form", () => {
  it("runs in at most 15 lines, and its long form has the same results", verifies("cli.eval.run"), async () => {
    folder.write("short.yaml", SHORT())
    const shown = await run("eval", "show", "short.yaml")
    expect(shown).toMatchObject({ exitCode: 0, stderr: "" })
    folder.write("long.yaml", shown.stdout)
    const means = await meansOf("short.yaml")
    expect(means).toMatchObject([
      ["equals", { accuracy: { value: 2 / 3 } }],
      ["judge", { yes: { value: 0 } }],
      ["cost", { "within-limit": { value: 1 } }],
    ])
    expect(await meansOf("long.yaml")).toEqual(means)
    const json = await run("eval", "show", "short.yaml", "--json")
    expect(JSON.parse(json.stdout)).toMatchObject({ gates: ["answers.equals >= 0.1"] })
  })

  it(
    "with several models asks none if the key of a later one may not be sent",
    verifies("cli.keys.hosts"),
    async () => {
      const asked = server.requests.length
      folder.write(
        "keys.yaml",
        `models: ["${server.url}/v1#echo", {url: "https://collector.example/v1", model: m, key: MODEL_API_KEY}]\ndata: questions.csv\nprompt: "{{ question }}"\nchecks: [{equals: "{{ answer }}"}]\n`,
      )
      const env = { MODEL_API_KEY: "sk-mine" }
      const ran = await runCommand(["eval", "run", "keys.yaml", "--skip-checks"], { cwd: folder.path, env })
      expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining("is not sent to 'collector.example'")])
      expect(server.requests.length).toBe(asked)
    },
  )

  it("with several models runs a job for each, and compares it with the first", async () => {
    folder.write(
      "matrix.yaml",
      `models: ["${server.url}/v1#echo", "${server.url}/v1#chat"]\ndata: questions.csv\nprompt: "{{ question }}"\nchecks: [{equals: "{{ answer }}"}]\n`,
    )
    const ran = await run("eval", "run", "matrix.yaml", "--out", "out", "--junit", "junit.xml", "--summary", "sum.md")
    expect(ran.exitCode).toBe(0)
    expect(ran.stderr).toMatch(/\necho \(1 of 2\)\n[^]*\nchat \(2 of 2\)\n/)
    expect(ran.stdout).toMatch(/\nchat against echo: [^]*answers\.equals\.accuracy +0\.667 +0 /)
    expect(ran.stdout).toMatch(
      /\nJOB +answers\.equals\.accuracy +COMPARED\necho +0\.667 \(0\.\d+ to 0\.\d+\)\nchat +0 \(0 to 0\.\d+\) +(?:FAIL|INCONCLUSIVE)\n$/,
    )
    expect(readdirSync(join(folder.path, "out"))).toEqual(["chat", "echo"])
    // Both jobs are in the file that the option names.
    const junit = readFileSync(join(folder.path, "junit.xml"), "utf8")
    expect(junit.match(/<testsuites|<testsuite name="(?:echo|chat): job"/gu)).toHaveLength(3)
    expect(readFileSync(join(folder.path, "sum.md"), "utf8").match(/^## .*matrix-(?:echo|chat)$/gmu)).toHaveLength(2)
    // A job that is refused leaves those before it in the summary.
    folder.write("refused.yaml", readFileSync(join(folder.path, "matrix.yaml"), "utf8").replace("#chat", "#nobody"))
    expect((await run("eval", "run", "refused.yaml", "--summary", "sum.md")).exitCode).toBe(2)
    const refused = readFileSync(join(folder.path, "sum.md"), "utf8")
    expect(refused.match(/^## .*(?:refused-echo|nobody)$/gmu)).toHaveLength(2)
    const second = await run("eval", "show", "matrix.yaml", "--job", "2")
    expect(second.stdout).toMatch(/^# chat: --job 2\n[^]*model_id: chat\n/)
    expect((await run("eval", "show", "matrix.yaml")).stdout.split("\n---\n")).toHaveLength(2)
    expect(await run("eval", "show", "matrix.yaml", "--job", "3")).toMatchObject({ exitCode: 2 })
    expect(await run("eval", "run", "matrix.yaml", "--accept")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--accept takes one job"),
    })
    const plan = await run("eval", "plan", "matrix.yaml")
    expect(plan.stdout.match(/The job can be launched/g)).toHaveLength(2)
    const labels = async (...words: readonly string[]) =>
      (JSON.parse((await run("eval", ...words, "--json")).stdout) as readonly object[]).map((one) =>
        "label" in one ? one.label : undefined,
      )
    expect(await labels("plan", "matrix.yaml")).toEqual(["echo", "chat"])
    expect(await labels("run", "matrix.yaml")).toEqual(["echo", "chat"])
    // The record of a folder says which job of the file it is.
    const record = JSON.parse(readFileSync(join(folder.path, "out/chat/run.json"), "utf8")) as { cell: number }
    expect(record.cell).toBe(1)
    const again = await run("eval", "retry-failed", "./out/chat")
    expect(again.stderr).not.toContain("have changed")
  })

  it("may have gates on these rows, which decide on a small set", verifies("gates.these-rows"), async () => {
    const text = (gate: string) =>
      `model: ${server.url}/v1#echo\ndata: questions.csv\nprompt: "{{ question }}"\nchecks: [{equals: "{{ answer }}"}]\ngates: [${gate}]\n`
    folder.write("open.yaml", text("equals >= 0.6"))
    expect((await run("eval", "run", "open.yaml")).exitCode).toBe(3)
    folder.write("gate.yaml", text("equals >= 0.6 on these rows"))
    const passed = await run("eval", "run", "gate.yaml", "--junit", "junit.xml", "--summary", "sum.md")
    expect(passed.exitCode).toBe(0)
    expect(passed.stdout).toMatch(/^answers\.equals\.accuracy >= 0\.6 on these rows +0\.667 +– +PASS$/m)
    expect(readFileSync(join(folder.path, "junit.xml"), "utf8")).toContain("&gt;= 0.6 on these rows")
    expect(readFileSync(join(folder.path, "sum.md"), "utf8")).toContain("It says nothing about other rows.")
    const failed = await run("eval", "run", "gate.yaml", "--gate", "equals >= 1 on these rows")
    expect(failed.exitCode).toBe(1)
    expect(failed.stdout).toMatch(/>= 1 on these rows +0\.667 +– +FAIL$/m)
  })

  it("is refused with all its faults at once", async () => {
    folder.write("bad.yaml", SHORT().replace("data:", "dat:").replace("equals >= 0.1", "equals > 80"))
    const { exitCode, stderr } = await run("eval", "run", "bad.yaml")
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(
      /^error: The file has 2 faults\.\n\n {2}bad\.yaml:3:1: 'dat': .*\n {2}bad\.yaml:10:5: 'gates\.0': 'equals > 80' compares/,
    )
    const { stderr: json } = await run("eval", "run", "bad.yaml", "--json")
    expect(JSON.parse(json)).toMatchObject({
      error: { issues: [{ field: "bad.yaml:3:1" }, { field: "bad.yaml:10:5" }] },
    })
  })

  it("may have its rows in it, whose numbers keep their digits", async () => {
    folder.write(
      "inline.yaml",
      `model: ${server.url}/v1#echo\ndata: [{n: 1.50}, {n: 2}]\nprompt: "{{ n }}"\nchecks: [{equals: "{{ n }}"}, {matches: ".50"}]\n`,
    )
    expect(await meansOf("inline.yaml")).toMatchObject([
      ["equals", { accuracy: { value: 1 } }],
      ["matches", { "string-check": { value: 0.5 } }],
    ])
  })

  it(
    "whose model has prices says what it costs, in the plan and in the summary",
    verifies("plans.prices"),
    async () => {
      const text = `model: { url: ${server.url}/v1, model: echo, max_tokens: 10, prompt_price: 1000000, completion_price: 2000000 }\ndata: questions.csv\nprompt: "{{ question }}"\nchecks: [{ equals: "{{ answer }}" }]\n`
      folder.write("priced.yaml", text)
      const plan = await run("eval", "plan", "priced.yaml")
      expect(plan.stdout).toMatch(/Cost +about 61\.00$/m)
      expect(plan.stdout).not.toContain("ASSAY_PRICES_FILE")
      expect((await run("eval", "run", "priced.yaml", "--summary", "sum.md")).exitCode).toBe(0)
      expect(readFileSync(join(folder.path, "sum.md"), "utf8")).toContain(
        "3 of answers · cost: 9.00 · both without judges\n",
      )
      folder.write("half.yaml", text.replace("prompt_price: 1000000, ", ""))
      expect((await run("eval", "plan", "half.yaml")).stderr).toContain(
        "half.yaml:1:71: 'model.completion_price': needs 'prompt_price' beside it",
      )
    },
  )

  it("whose cost has no price says where prices are given", async () => {
    folder.write("cost.yaml", SHORT().replace(", prompt_price: 0.15, completion_price: 0.60", ""))
    const { exitCode, stderr } = await run("eval", "run", "cost.yaml")
    expect(exitCode).not.toBe(0)
    expect(stderr).toMatch(
      /cost\.yaml:8:5, tasks\.answers\.metrics\.cost\.params\.model|cost\.yaml:8:5: tasks\.answers\.metrics\.cost\.params\.model/,
    )
    expect(stderr).toContain("give the prices of a million tokens as prompt_price and completion_price")
    folder.write("prices.yaml", "currency: USD\nmodels: [{model: echo, prompt_price: 1, completion_price: 1}]\n")
    expect(await meansOf("cost.yaml", "--prices", "prices.yaml")).toMatchObject([{}, {}, ["cost", {}]])
  })
})

describe("an option that would do nothing, or something else", () => {
  it.each([
    [["--margin", "0.1"], "--margin needs a baseline: add --against."],
    [["--allow-changed"], "--allow-changed needs a baseline: add --against."],
    [["--out", ""], "Option '--out <folder>' argument '' is invalid. Give a name, or leave the option out."],
    [["--junit", ""], "Option '--junit <file>' argument '' is invalid."],
  ])("is refused before the run: %j", async (words, message) => {
    folder.write("rows.yaml", 'output: "{{ answer }}"\ndata: questions.csv\nchecks: [{equals: "{{ answer }}"}]\n')
    const before = readdirSync(folder.path)
    const { exitCode, stderr } = await run("eval", "run", "rows.yaml", ...words)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(readdirSync(folder.path)).toEqual(before)
  })
})
