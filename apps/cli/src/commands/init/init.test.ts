import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { evaluationFileSchema } from "@assay/evaluation-files"
import { createFakeModels, type FakeInference, startFakeInference } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { readVersion } from "../../read-version.ts"
import { runCommand } from "../../testing/run-command.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts"

let endpoint: FakeInference
beforeAll(async () => {
  endpoint = await startFakeInference({ models: createFakeModels() })
})
afterAll(() => endpoint.close())

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
      `${endpoint.url}/v1#chat`,
      "CHAT_KEY",
      "",
      "",
      "politeness",
      `${endpoint.url}/v1#small-judge`,
      "n",
    )
    expect(stderr).toContain("Column with the expected answer, or - for none [expected]: ")
    expect(stderr).toContain("CHAT_KEY is not set in this shell")
    expect(exitCode).toBe(0)
    expect(keysOf("evaluation.yaml")).toBe(`model:
  url: ${endpoint.url}/v1
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
      model: ${endpoint.url}/v1#small-judge
gates:
  - number >= 0.5
`)
  })

  it("asks again after each answer that can't be used, and says why", async () => {
    folder.write("qa.csv", "question,answer\nWhat is 1+1?,two\n")
    folder.write("empty.csv", "")
    const { exitCode, stderr } = await answer(
      [],
      "none.csv",
      "empty.csv",
      "qa.csv",
      "chat",
      "ftp://host/v1#chat",
      "http://me:word@127.0.0.1:1/v1#chat",
      "http://127.0.0.1:1/v1#chat",
      "maybe",
      "n",
      `${endpoint.url}/v1#chta`,
      "n",
      `${endpoint.url}/v1#chat`,
      "HOME",
      "sk-0123456789abcdef0123456789",
      "-",
      "question",
      "{{ qestion }}",
      "./prompt.txt",
      "{{ question",
      "{{ question }}",
      "anser",
      "answer",
      "polite",
      "politeness",
      "judge",
      `${endpoint.url}/v1#small-judge`,
      "n",
    )
    const said = [
      "There is no file",
      "empty.csv",
      "'chat' is not a model: write its address and its name",
      "'ftp://host/v1' is not an address",
      "password",
      "Nothing answers at 127.0.0.1:1: the connection was refused",
      "'maybe' is neither y nor n",
      "lists no model 'chta'. It has chat,",
      "'HOME' is not taken for a key",
      "this looks like a key itself",
      "'question' is the name of a column, and every row would get this word: write {{ question }}.",
      "The rows have no column 'qestion'. Their columns are question, answer. Did you mean 'question'?",
      "There is no file './prompt.txt'",
      "The rows have no column 'anser'.",
      "'polite' is not a question for a judge",
      "'judge' is not a model",
    ]
    for (const sentence of said) expect(stderr).toContain(sentence)
    expect(stderr).not.toMatch(/sk-0123|me:word/)
    expect(exitCode).toBe(0)
    expect(keysOf("evaluation.yaml")).toContain(`model: ${endpoint.url}/v1#chat\n`)
  })

  it("runs the file with the fake endpoint, which it starts and ends, if there is no model", async () => {
    folder.write("qa.csv", "question,answer\nSay tea.,tea\nSay coffee.,coffee\n")
    const { stdout, stderr } = await answer([], "", "fake", "", "", "-", "y")
    expect(stderr).toContain("Run it now, with the fake endpoint, which repeats the prompt? y or n [y]: ")
    const [, url = ""] = /the fake endpoint serves (\S+): it has no model/.exec(stderr) ?? []
    expect(stdout).toMatch(/\nanswers\.contains\.string-check +1 /)
    expect(read("evaluation.yaml")).toContain(`model: ${url}#echo\n`)
    // One that a developer runs at its usual port is used, and goes on.
    if (stderr.includes("the fake endpoint ends now")) await expect(fetch(`${url}/models`)).rejects.toThrow("fetch")
  })

  it.each([
    ["frage,musterlösung\nWas ist 1+1?,2\n", "{{ frage }}", "number: '{{ item[\"musterlösung\"] }}'"],
    [
      "id,réponse_attendue,Question posée\n1,deux,Combien font 1+1 ?\n",
      '{{ item["Question posée"] }}',
      "réponse_attendue",
    ],
    ["问题,答案\n1+1 等于几？,二\n", '{{ item["问题"] }}', "答案"],
  ])("knows the names of columns in other languages: %s", async (csv, prompt, expected) => {
    folder.write("rows.csv", csv)
    expect(await run("--yes")).toMatchObject({ exitCode: 0, stderr: "" })
    expect(keysOf("evaluation.yaml").replaceAll('\\"', '"')).toContain(prompt)
    expect(keysOf("evaluation.yaml")).toContain(expected)
  })

  it("proposes columns by their values if no name says what they are for, and says so", async () => {
    const rows = [
      "nr,kurz,lang,fest",
      "7,Rom,Wie heißt die Hauptstadt von Italien?,x",
      "8,Paris,Und die von Frankreich?,x",
    ]
    folder.write("rows.csv", `${rows.join("\n")}\n`)
    const { stderr } = await run("--yes")
    expect(stderr).toContain(
      "'lang' has the longest texts, so it is proposed as what is asked; 'kurz' has the shortest",
    )
    expect(keysOf("evaluation.yaml")).toContain('prompt: "{{ lang }}"\nchecks:\n  - contains: "{{ kurz }}"\n')
  })

  it("reads the columns of a file that has the name of the example", async () => {
    folder.write("questions.csv", "frage,antwort\nWas?,Das.\n")
    expect((await run("--yes")).exitCode).toBe(0)
    expect(keysOf("evaluation.yaml")).toContain('contains: "{{ antwort }}"')
    expect(read("questions.csv")).toBe("frage,antwort\nWas?,Das.\n")
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
    [["--yes", "--model", "chat"], /'chat' is not a model/],
    [["--yes", "--model", "fake", "--prompt", "{{ questoin }}"], /no column 'questoin'.* Did you mean 'question'/],
    [["--yes", "--output", "{{ item.outptu }}"], /no column 'outptu'/],
    [["--yes", "--check", "equals: {{ anser }}"], /no column 'anser'/],
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
    expect(keysOf("guardrail.yaml")).toMatch(
      /^models:\n {2}- type: content_safety\n {4}url: http:\/\/127\.0\.0\.1:1\/v1\n/,
    )
    expect(keysOf("guardrail.yaml")).toContain("api_key_env_var: GUARD_KEY\n")
    const check = await runCommand(["guard", "check", "hello", "--config", "guardrail.yaml"], {
      cwd: folder.path,
      env: { GUARD_KEY: "k" },
    })
    expect(check.stdout + check.stderr).toContain("Nothing listens at 127.0.0.1:1")
  })

  it("makes a model that only judges not the one that answers, and says what is missing for a chat", async () => {
    await run("guardrail", "--model", `${endpoint.url}/v1#content-safety`, "--yes")
    expect(keysOf("guardrail.yaml")).not.toContain("main")
    expect(read("guardrail.yaml")).toContain("add the model that answers to `models`, such as { type: main, ")
    const check = ["guard", "check", "How do I water a cactus?", "--config", "guardrail.yaml"]
    expect((await runCommand(check, { cwd: folder.path })).exitCode).toBe(0)
    await run("guardrail", "--model", `${endpoint.url}/v1#self-check`, "--yes", "--force")
    expect(keysOf("guardrail.yaml")).toMatch(/^models:\n {2}- type: main\n/)
    expect(read("guardrail.yaml")).toContain("main judges, and it answers chats")
  })

  it("asks again for the judge of a guardrail, and names the command that starts the proposed one", async () => {
    const { exitCode, stdout, stderr } = await answer(["guardrail"], "guard", "", "strict", "")
    expect(stderr).toContain("'guard' is not a model")
    expect(stderr).toContain("'strict' is not a kind of judge; write self-check or content-safety.")
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/\nassay fake-endpoint\nassay guard check .*\n$/)])
  })

  it("writes a workflow that runs the evaluation file", async () => {
    expect((await run("ci", "--key", "CHAT_KEY")).exitCode).toBe(0)
    const workflow = read(".github/workflows/evaluation.yml")
    expect(workflow).toContain(
      `npx --yes @assay/cli@${readVersion()} eval run evaluation.yaml --out ./results --junit junit.xml`,
    )
    expect(workflow).toContain("CHAT_KEY: ${{ secrets.CHAT_KEY }}")
  })
})

it("assay schema evaluation prints the JSON Schema of the file", async () => {
  const { exitCode, stdout } = await runCommand(["schema", "evaluation"])
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toEqual(evaluationFileSchema())
})
