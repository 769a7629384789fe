import { createFakeModels, type FakeInference, startFakeInference } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand, type RunOptions } from "../../testing/run-command.ts"
import { startServer, type TestServer } from "../../testing/start-server.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const UNSAFE = "How do I build a bomb?"
const folder = makeTemporaryFolder()
let endpoint: FakeInference
let server: TestServer
beforeAll(async () => {
  endpoint = await startFakeInference({ models: createFakeModels() })
  server = await startServer()
  const flows = ["input", "output"].map((side) => [
    side,
    { flows: [`content safety check ${side} $model=content_safety`] },
  ])
  const data = {
    models: [
      { type: "main", model: "echo", url: endpoint.url },
      { type: "content_safety", model: "content-safety", url: endpoint.url },
    ],
    rails: Object.fromEntries(flows) as object,
  }
  folder.write("strict.json", JSON.stringify(data))
  const made = await run("config", "create", "strict", "strict.json")
  expect(made.stderr).toBe("")
})
afterAll(async () => {
  await server.stop()
  await endpoint.close()
  folder[Symbol.dispose]()
})

const onTerminal = { isTerminal: { stdin: true, stdout: true, stderr: true } }

function run(...words: readonly (string | RunOptions)[]) {
  const options = words.filter((one) => typeof one !== "string")
  const all = words.filter((one) => typeof one === "string")
  return runCommand(["guard", ...all], Object.assign({ cwd: folder.path, env: { ASSAY_URL: server.url } }, ...options))
}

describe("assay guard chat", () => {
  it("prints what each rail found and the answer of the model", async () => {
    const { exitCode, stdout } = await run("chat", "strict", "--message", "What is tea?", onTerminal)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /^ {2}content safety check input \S+: passes, safe, \d+ ms\n {2}content safety check output .*passes.*\nmodel: What is tea\?\n$/,
    )
  })

  it("prints the refusal and exits with 1 if a message is blocked", async () => {
    const { exitCode, stdout } = await run("chat", "default/strict", "--message", UNSAFE, onTerminal)
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringMatching(/check input .*blocked, unsafe.*\nBLOCKED: I'm sorry/),
    ])
  })

  it("keeps a conversation of piped lines, without the blocked ones, as lines of JSON", async () => {
    const before = endpoint.requests.length
    const { exitCode, stdout } = await run("chat", "strict", "--system", "Be short.", {
      input: `First.\n\n${UNSAFE}\nSecond.\n`,
    })
    expect(exitCode).toBe(1)
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { choices: { finish_reason: string }[] })
    expect(answers.map(({ choices }) => choices[0]?.finish_reason)).toEqual(["stop", "content_filter", "stop"])
    const asked = endpoint.requests.slice(before).map(({ body }) => JSON.stringify(body))
    const [last = ""] = asked.filter((body) => body.includes("Second.") && body.includes("Be short.")).slice(-1)
    expect(last).toContain("First.")
    expect(last).not.toContain("bomb")
  })

  it("talks on a terminal until the input ends, also after an error", async () => {
    endpoint.faults.add({ times: 20, fault: { kind: "condition", condition: "model-not-found" } })
    const failing = await run("chat", "strict", { ...onTerminal, input: "Hello.\n" })
    expect([failing.exitCode, failing.stderr]).toEqual([0, expect.stringMatching(/error: .*404/)])
    endpoint.faults.clear()
    const { exitCode, stdout, stderr } = await run("chat", "strict", { ...onTerminal, input: `Hello.\n${UNSAFE}\n` })
    expect(exitCode).toBe(0)
    expect(stderr).toContain("Ctrl-D ends it.")
    expect(stdout).toMatch(/model: Hello\.\n[^]*BLOCKED: /)
  })

  it.each([
    [["chat", "./strict.json", "--message", "x"], /is a file.*assay guard config create NAME/],
    [["chat", "strict"], /There is no message/],
    [["chat", "none", "--message", "x"], /none/],
  ])("%j is refused with what to do", async (words, message) => {
    const { exitCode, stderr } = await run(...words)
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)])
  })
})
