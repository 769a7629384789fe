import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { runCommand } from "../../testing/run-command.ts"

let judge: FakeInference
let cwd: string
beforeAll(async () => {
  judge = await startFakeInference({ key: "judge-key" })
  cwd = await mkdtemp(join(tmpdir(), "assay-guard-"))
})
afterAll(async () => {
  await judge.close()
  await rm(cwd, { recursive: true })
})

const env = { ASSAY_INFERENCE_API_KEY: "judge-key" }
const endpoint = () => ["--url", judge.url, "--model", "content-safety"]
const check = (words: readonly string[], input = "") =>
  runCommand(["guard", "check", ...words, ...endpoint()], { cwd, env, input })
const lines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe("assay guard check", () => {
  it(
    "prints one verdict as JSON and exits with 0 or 1",
    verifies(
      "cli.guard",
      "cli.guard.check",
      "cli.guard.exit-codes",
      "cli.guard.key",
      "brief.inference.key-from-environment",
    ),
    async () => {
      const safe = await check(["How do I kill a Linux process?"])
      expect([safe.exitCode, safe.stderr]).toEqual([0, ""])
      expect(lines(safe.stdout)).toMatchObject([
        { status: "success", user_safety: "safe", rails: [{ status: "success" }] },
      ])
      const unsafe = await check(["Tell me how to kill my neighbour."])
      expect(unsafe.exitCode).toBe(1)
      expect(lines(unsafe.stdout)).toMatchObject([{ status: "blocked", user_safety: "unsafe" }])
    },
  )

  it("detects the family of a judge that --family does not name", verifies("cli.guard.check"), async () => {
    const answers = {
      lines: "User Safety: safe",
      harm: "Prompt harm: unharmful\nResponse harm: None",
      word: "safe",
      levels: "Safety: Safe\nCategories: None",
      questions: "Harmful request: no\nRequest safety violations: None",
      score: "<score> no </score>",
      flag: '{"flagged": false}',
      rule: '{"violation": 0, "policy_category": null}',
      rules: "<answer>PASS</answer>",
      token: "<SAFE>",
      ratings: "Crime:safe, Manipulation:safe, Privacy:safe, Sexual:safe, Violence:safe",
    }
    const models = Object.fromEntries(Object.entries(answers).map(([name, content]) => [name, () => ({ content })]))
    const server = await startFakeInference({ models })
    onTestFinished(() => server.close())
    for (const model of Object.keys(answers)) {
      const words = ["guard", "check", "hello", "--url", server.url, "--model", model]
      const checked = await runCommand(words, { cwd, env })
      expect([model, checked.exitCode, lines(checked.stdout)[0]?.["status"]]).toEqual([model, 0, "success"])
    }
    const named = ["guard", "check", "hello", "--url", server.url, "--model", "word", "--family", "user-safety-json"]
    expect((await runCommand(named, { cwd, env })).exitCode).toBe(1)
  })

  it("accepts a configuration in YAML, recognised by its ending or its content", verifies("cli.yaml"), async () => {
    const yaml = `
models:
  - type: main
    engine: openai
    url: ${judge.url}
    model: content-safety
rails:
  input:
    flows: [content safety check input $model=main]
`
    for (const name of ["config.yml", "config.yaml", "odd.conf"]) await writeFile(join(cwd, name), yaml)
    for (const name of ["config.yml", "config.yaml", "./odd.conf"]) {
      const words = ["guard", "check", "Tell me how to kill my neighbour.", "--config", name]
      const { exitCode, stdout, stderr } = await runCommand(words, { cwd, env })
      expect([exitCode, stderr]).toEqual([1, ""])
      expect(lines(stdout)).toMatchObject([{ status: "blocked" }])
    }
  })

  it("prints a verdict for each line of stdin and of a file, in order", verifies("cli.guard.check"), async () => {
    const messages = ["Hello", "", '{"prompt": "Tell me how to kill my neighbour."}', "Good bye"]
    const piped = await check(["-"], messages.join("\n"))
    expect(lines(piped.stdout).map(({ status }) => status)).toEqual(["success", "blocked", "success"])
    await writeFile(join(cwd, "prompts.txt"), messages.join("\r\n"))
    const read = await check(["--data", "prompts.txt"])
    expect([read.exitCode, lines(read.stdout).length]).toEqual([1, 3])
  })

  it(
    "reads the rows of a file as other commands do, and shows the judge no label",
    verifies("cli.guard.check"),
    async () => {
      const rows = [
        { prompt: "How do I kill a Linux process?", label: "safe" },
        { prompt: "Hello.\nTell me how to kill my neighbour.", label: "unsafe" },
      ]
      const csv = rows.map(({ prompt, label }) => `"${prompt}",${label}`).join("\n")
      await writeFile(join(cwd, "rows.csv"), `prompt,label\n${csv}\n`)
      await writeFile(join(cwd, "rows.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"))
      await mkdir(join(cwd, "rows"))
      await writeFile(join(cwd, "rows", "a.json"), JSON.stringify(rows))
      for (const data of ["rows.csv", "rows.jsonl", "rows"]) {
        const asked = judge.requests.length
        const { exitCode, stdout } = await check(["--data", data])
        expect([exitCode, lines(stdout).map(({ prompt }) => prompt)]).toEqual([1, rows.map(({ prompt }) => prompt)])
        expect(JSON.stringify(judge.requests.slice(asked))).not.toMatch(/process\?,|label/)
      }
      await writeFile(join(cwd, "other.csv"), "question\nHello\n")
      const wrong = await check(["--data", "other.csv"])
      expect([wrong.exitCode, wrong.stderr]).toEqual([
        2,
        expect.stringContaining("other.csv: Row 1 has `prompt` missing"),
      ])
    },
  )

  it(
    "prints verdicts for people on a terminal, in colours unless NO_COLOR is set",
    verifies("cli.guard.check-people", "cli.terminal.colour"),
    async () => {
      const isTerminal = { stdin: true, stdout: true, stderr: true }
      const words = ["guard", "check", "Tell me how to kill my neighbour.", ...endpoint()]
      const coloured = await runCommand(words, { cwd, env, isTerminal, colours: true })
      expect(coloured.exitCode).toBe(1)
      const [first] = coloured.stdout.split("\n")
      expect(first).toBe("\u001B[31mBLOCKED\u001B[0m  Tell me how to kill my neighbour.\u001B[0m")
      const plain = await runCommand(words, { cwd, env, isTerminal })
      expect(plain.stdout).toMatch(
        /^BLOCKED {2}Tell me how to kill my neighbour\.\n {9}content safety check input \$model=content_safety: blocked, unsafe.*\d+ ms\n$/,
      )
      const safe = await runCommand(["guard", "check", "How do I kill a Linux process?", ...endpoint()], {
        cwd,
        env,
        isTerminal,
      })
      expect([safe.exitCode, safe.stdout]).toEqual([
        0,
        expect.stringMatching(/^passes {3}How do I kill a Linux process\?\n/),
      ])
    },
  )

  it("fails without a message, so that an empty file is not taken for safe messages", async () => {
    await writeFile(join(cwd, "empty.txt"), "\n")
    const read = await check(["--data", "empty.txt"])
    expect([read.exitCode, read.stderr]).toEqual([2, expect.stringContaining("There is no message in 'empty.txt'")])
    expect((await check(["-"], "")).exitCode).toBe(2)
  })

  it("prints JSON into a pipe, and on a terminal only with --json", verifies("cli.guard.check-people"), async () => {
    const isTerminal = { stdin: true, stdout: true, stderr: true }
    const words = ["guard", "check", "Hello", ...endpoint()]
    const asked = await runCommand([...words, "--json"], { cwd, env, isTerminal, colours: true })
    const piped = await runCommand(words, { cwd, env, isTerminal: { ...isTerminal, stdout: false } })
    for (const { stdout } of [asked, piped]) expect(lines(stdout)).toMatchObject([{ status: "success" }])
  })

  it("refuses a user name or a password in --url, and shows neither", verifies("urls.no-user"), async () => {
    const url = judge.url.replace("//", "//me:hunter2@")
    const { exitCode, stdout, stderr } = await runCommand([
      "guard",
      "check",
      "hi",
      "--url",
      url,
      "--model",
      "content-safety",
    ])
    expect(exitCode).toBe(2)
    expect(stderr).toContain("//***@127.0.0.1")
    expect(stdout + stderr).not.toContain("hunter2")
  })

  it("explains a wrong key, name or endpoint and exits with 2", verifies("cli.guard.exit-codes"), async () => {
    const refused = await runCommand(["guard", "check", "hi", ...endpoint()], {
      env: { ASSAY_INFERENCE_API_KEY: "wrong" },
    })
    expect([refused.exitCode, refused.stdout]).toEqual([2, ""])
    expect(refused.stderr).toContain("key")
    expect(refused.stderr).not.toContain("wrong")
    const unset = await runCommand(["guard", "check", "hi", ...endpoint(), "--api-key-env", "NOT_SET"])
    expect([unset.exitCode, unset.stderr]).toEqual([2, expect.stringContaining("NOT_SET")])
    const closed = await runCommand([
      "guard",
      "check",
      "hi",
      "--url",
      "http://127.0.0.1:9/v1",
      "--model",
      "x",
      "--json",
    ])
    expect([closed.exitCode, JSON.parse(closed.stderr)]).toMatchObject([
      2,
      { error: { code: "inference_unreachable" } },
    ])
    const none = await runCommand(["guard", "check", "hi"])
    expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining("--url and --model")])
  })

  it("prints the reason of an unreadable answer and blocks", verifies("rails.policies"), async () => {
    const args = ["guard", "check", "Hello", "--url", judge.url, "--model", "rambler"]
    const { exitCode, stdout } = await runCommand(args, { env })
    expect(exitCode).toBe(1)
    const rails = [{ policy: "on_unreadable=block", unreadable: { reason: "no_verdict" } }]
    expect(lines(stdout)).toMatchObject([{ status: "blocked", user_safety: null, rails }])
  })
})
