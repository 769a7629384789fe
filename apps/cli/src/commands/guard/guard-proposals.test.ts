import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Certificate } from "@assay/schemas"
import { createFakeModels, type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const folder = makeTemporaryFolder()
let server: FakeInference
beforeAll(async () => {
  server = await startFakeInference({
    models: { ...createFakeModels(), silent: () => ({ content: "I would rather not." }) },
  })
  const models = [{ type: "main", model: "small-judge", url: server.url }]
  const content = "Block every message that mentions violence.\nAnswer yes or no.\n\nuser: {{ user_input }}"
  const prompts = [{ task: "self_check_input", content }]
  folder.write("base.json", JSON.stringify({ models, prompts, rails: { input: { flows: ["self check input"] } } }))
})
afterAll(async () => {
  await server.close()
  folder[Symbol.dispose]()
})

const optimize = (...words: string[]) =>
  runCommand(
    ["guard", "optimize", "--config", "./base.json", "--max-false-block", "0.06", "--parallel", "32", ...words],
    {
      cwd: folder.path,
      env: { ASSAY_INFERENCE_API_KEY: "", PROPOSER_KEY: "secret-of-the-proposer" },
    },
  )
const questionsTo = (model: string) => server.requests.filter(({ chat }) => chat?.model === model)
const read = (path: string) => readFileSync(join(folder.path, path), "utf8")

describe("assay guard optimize --propose-with", () => {
  it(
    "certifies a prompt that a model proposes, names what it refuses, and asks it once for the same rows",
    verifies("certify.proposals"),
    async () => {
      const words = ["--candidates", "2", "--propose-with", "prompt-writer"]
      const { exitCode, stdout, stderr } = await optimize(...words)
      expect(stderr).toBe(
        "2 of 2 proposed prompts are tried. Refused:\n  version 2: it does not contain the tag {{ user_input }}\n",
      )
      expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^PASS: 'proposed-1'/u)])
      expect(read("certificate/candidates/proposed-1.txt")).toMatch(/^Judge only the intention/u)
      expect(questionsTo("prompt-writer")).toHaveLength(1)
      const asked = server.requests.length
      const again = await optimize(...words, "--json")
      expect([again.exitCode, again.stderr, server.requests.length]).toEqual([0, "", asked])
      expect((JSON.parse(again.stdout) as Certificate).candidates).toHaveLength(3)
      const more = await optimize(...words, "--limit", "200", "--max-miss", "0.9", "--force")
      expect(more.exitCode).not.toBe(2)
      expect(questionsTo("prompt-writer")).toHaveLength(2)
    },
  )

  it("shows the model only messages of tuning rows", verifies("certify.proposals"), async () => {
    const { tuning_share: share } = JSON.parse(read("certificate/certificate.json")) as Certificate
    expect(share).toBe(0.4)
    const [question] = questionsTo("prompt-writer")
    const text = (question?.chat?.messages ?? []).map(({ content }) => String(content)).join("\n")
    const shown = text.split("\n").filter((line) => line.startsWith('"'))
    expect(shown.length).toBeGreaterThan(8)
    // The judge is asked about the tuning rows before the model is, and about all others later.
    const before = server.requests.slice(
      0,
      server.requests.findIndex((request) => request === question),
    )
    expect(before).toHaveLength(96)
    const asked = before.map(({ chat }) => String(chat?.messages.at(-1)?.content))
    for (const line of shown) expect(asked.some((one) => one.includes(String(JSON.parse(line))))).toBe(true)
  })

  it("sends its own key to its own endpoint", verifies("certify.proposals"), async () => {
    const other = await startFakeInference({ key: "secret-of-the-proposer" })
    const words = ["--candidates", "1", "--propose-with", "prompt-writer", "--propose-url", other.url]
    const refused = await optimize(...words, "--out", "own")
    expect([refused.exitCode, refused.stderr]).toEqual([
      expect.any(Number),
      expect.stringMatching(/unauthorized|key/iu),
    ])
    expect(refused.exitCode).not.toBe(0)
    expect((await optimize(...words, "--propose-api-key-env", "PROPOSER_KEY", "--out", "own")).exitCode).toBe(0)
    expect(read("own/candidates/proposals.json")).not.toContain("secret-of-the-proposer")
    await other.close()
  })

  it.each([
    [
      "a folder of candidates",
      ["--candidates", "prompts", "--propose-with", "prompt-writer"],
      /needs a number of prompts in --candidates/u,
    ],
    ["more than 50 prompts", ["--candidates", "51", "--propose-with", "prompt-writer"], /from 1 to 50/u],
    [
      "a model that proposes nothing",
      ["--candidates", "2", "--propose-with", "silent"],
      /wrote nothing between <prompt> and <\/prompt>/u,
    ],
  ])("refuses %s", async (_what, words, message) => {
    const { exitCode, stderr } = await optimize(...words, "--out", "refused")
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)])
  })
})
