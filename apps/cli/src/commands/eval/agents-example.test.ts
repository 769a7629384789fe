import { cp, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type FakeInference, readScript, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

const EXAMPLE = fileURLToPath(new URL("../../../../../examples/agents/support", import.meta.url))

let endpoint: FakeInference
const folder = makeTemporaryFolder()
beforeAll(async () => {
  endpoint = await startFakeInference({ models: readScript(await readFile(join(EXAMPLE, "script.json"), "utf8")) })
  await cp(EXAMPLE, folder.path, { recursive: true })
  for (const name of ["desk.yaml", "desk-user.yaml"]) {
    const text = await readFile(join(folder.path, name), "utf8")
    await writeFile(join(folder.path, name), text.replaceAll("http://127.0.0.1:9000", endpoint.url))
  }
})
afterAll(async () => {
  await endpoint.close()
  folder[Symbol.dispose]()
})

const run = (...words: readonly string[]) => runCommand(["eval", "run", ...words], { cwd: folder.path })

describe("the example of a support desk", () => {
  it("finds the one mistake of its agent, and keeps its gates", verifies("cli.eval.examples"), async () => {
    const { exitCode, stdout } = await run("desk.yaml", "--out", "out")
    expect([exitCode, stdout.match(/^answers\.\w+\.[\w-]+ +[\d.]+/gm)?.map((line) => line.split(/ +/))]).toEqual([
      0,
      [
        ["answers.end.state", "0.875"],
        ["answers.did.calls", "1"],
        ["answers.nothing_else.calls", "0.875"],
        ["answers.looked_before_paying.calls", "1"],
        ["answers.told.string-check", "0.875"],
      ],
    ])
    const rows = (await readFile(join(folder.path, "out/results/rows.jsonl"), "utf8")).trimEnd().split("\n")
    const failed = rows.map(
      (line) => JSON.parse(line) as { item: { task: string }; scores: { end: { state: number } } },
    )
    expect(failed.filter(({ scores }) => scores.end.state === 0).map(({ item }) => item.task)).toEqual([
      "pay back too late",
    ])
  })

  it(
    "has a customer that keeps to its facts, and asks nothing in a second run",
    verifies("cli.eval.examples"),
    async () => {
      const { exitCode, stdout } = await run("desk-user.yaml", "--out", "users")
      expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^answers\.end\.state +1 /m)])
      expect(stdout).toMatch(/^answers\.user\.kept_facts +1 /m)
      const asked = endpoint.requests.length
      await run("desk-user.yaml", "--out", "again")
      expect(endpoint.requests.length - asked).toBe(0)
    },
  )
})
