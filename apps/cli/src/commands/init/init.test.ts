import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { evaluationFileSchema } from "@assay/schemas/validation"
import { beforeEach, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts"

let folder: TemporaryFolder
beforeEach(() => {
  folder = makeTemporaryFolder()
  return () => folder[Symbol.dispose]()
})

const run = (...words: readonly string[]) => runCommand(["init", ...words], { cwd: folder.path })
const answer = (words: readonly string[], ...lines: readonly string[]) =>
  runCommand(["init", ...words], {
    cwd: folder.path,
    isTerminal: { stdin: true, stdout: true, stderr: true },
    input: lines.map((line) => `${line}\n`).join(""),
  })
const read = (name: string) => readFileSync(join(folder.path, name), "utf8")
/** Returns the lines of a file without comments. */
const keysOf = (name: string) => read(name).replaceAll(/^#.*\n|^\n/gm, "")

describe("assay init", () => {
  it("in an empty folder writes an example that runs without a model", async () => {
    const { exitCode, stdout } = await run("--yes", "--run")
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/\nanswers\.contains\.string-check >= 0\.5 +0\.875 .* PASS\n/)
    expect(readdirSync(folder.path).toSorted()).toEqual([
      ".assay-eval",
      "evaluation.schema.json",
      "evaluation.yaml",
      "questions.csv",
    ])
    expect(JSON.parse(read("evaluation.schema.json"))).toEqual(evaluationFileSchema())
    expect(read("evaluation.yaml")).toMatch(/^# yaml-language-server: \$schema=\.\/evaluation\.schema\.json\n/)
  })

  it("asks for rows, model and checks, and proposes what the columns are for", async () => {
    folder.write("sums.jsonl", '{"sum": "1+1", "question": "What is 1+1?", "expected": 2}\n')
    const { exitCode, stderr } = await answer(
      [],
      "",
      "http://127.0.0.1:9000/v1#chat",
      "CHAT_KEY",
      "",
      "",
      "politeness",
      "http://127.0.0.1:9000/v1#judge",
      "n",
    )
    expect(stderr).toContain("Column with the expected answer, or - for none [expected]: ")
    expect(exitCode).toBe(0)
    expect(keysOf("evaluation.yaml")).toBe(`model:
  url: http://127.0.0.1:9000/v1
  model: chat
  key: CHAT_KEY
data: sums.jsonl
prompt: "{{ question }}"
checks:
  - number: "{{ expected }}"
  - latency < 5s
  - name: politeness
    judge:
      ask: Is the assistant's answer polite and respectful?
      model: http://127.0.0.1:9000/v1#judge
gates:
  - number >= 0.5
`)
  })

  it("takes everything from options, also rows in another folder", async () => {
    folder.write("data/answers.csv", "question,answer,reply given\na,b,c\n")
    const made = await run(
      "--data=data/answers.csv",
      '--output={{ item["reply given"] }}',
      "--check=equals: {{ answer }}",
      "--check=json-schema: {type: object}",
      "--gate=equals >= 0.9",
      "--out=checks/eval.yaml",
      "--yes",
    )
    expect(made).toMatchObject({ exitCode: 0, stderr: "" })
    expect(keysOf("checks/eval.yaml")).toBe(`output: '{{ item["reply given"] }}'
data: ../data/answers.csv
checks:
  - equals: "{{ answer }}"
  - json-schema:
      type: object
gates:
  - equals >= 0.9
`)
    expect(made.stdout).toContain("\nassay eval run checks/eval.yaml\n")
  })

  it("replaces no file without --force", async () => {
    folder.write("evaluation.yaml", "mine")
    const refused = await run("--yes")
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("add --force to replace it") as string,
    })
    expect(read("evaluation.yaml")).toBe("mine")
    expect((await run("--yes", "--force", "--json")).stdout).toContain('"./evaluation.yaml"')
    expect(read("evaluation.yaml")).toContain("checks:")
  })

  it.each([
    [["--yes", "--check", "latenci"], /there is no check 'latenci'; did you mean 'latency'\?/],
    [
      ["--yes", "--output", "{{ output }}", "--check", "politeness"],
      /'politeness' asks a judge: name one with --judge/,
    ],
    [["--yes", "--data", "none.csv"], /none\.csv/],
    [["--yes", "--check", "em: [a"], /has a value that is not JSON or YAML/],
    [[], /There is no terminal to ask on: add --yes/],
  ])("with %j is refused, and writes nothing", async (words, message) => {
    const { exitCode, stderr } = await run(...words)
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)])
    expect(readdirSync(folder.path)).toEqual([])
  })

  it("writes nothing if the questions are not all answered", async () => {
    const { exitCode, stderr } = await answer([], "")
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("the questions were not all answered")])
    expect(readdirSync(folder.path)).toEqual([])
  })

  it("writes a guardrail that the command reads", async () => {
    const made = await run("guardrail", "--model", "http://127.0.0.1:1/v1#llama-guard-3", "--key", "GUARD_KEY", "--yes")
    expect(made.exitCode).toBe(0)
    expect(keysOf("guardrail.yaml")).toMatch(/^models:\n {2}- type: main\n {4}url: http:\/\/127\.0\.0\.1:1\/v1\n/)
    expect(keysOf("guardrail.yaml")).toContain("api_key_env_var: GUARD_KEY\n")
    const check = await runCommand(["guard", "check", "hello", "--config", "guardrail.yaml"], {
      cwd: folder.path,
      env: { GUARD_KEY: "k" },
    })
    expect(check.stdout + check.stderr).toContain("Nothing listens at 127.0.0.1:1")
  })

  it("writes a workflow that runs the evaluation file", async () => {
    expect((await run("ci", "--key", "CHAT_KEY")).exitCode).toBe(0)
    const workflow = read(".github/workflows/evaluation.yml")
    expect(workflow).toContain("eval run evaluation.yaml --out ./results --junit junit.xml")
    expect(workflow).toContain("CHAT_KEY: ${{ secrets.CHAT_KEY }}")
  })
})

it("assay schema evaluation prints the JSON Schema of the file", async () => {
  const { exitCode, stdout } = await runCommand(["schema", "evaluation"])
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toEqual(evaluationFileSchema())
})
