import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"

describe("assay docs", () => {
  it("lists the pages", verifies("cli.docs"), async () => {
    const { exitCode, stdout } = await runCommand(["docs"])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^guides\/gates +Gates\n/m)
    expect(stdout).toMatch(/^reference\/cli +The command assay\n/m)
  })

  it.each([
    ["gates", /^# Gates\n/],
    ["gate", /^# Gates\n/],
    ["reference/cli", /^# The command `assay`\n/],
    ["llm-judge", /^### `llm-judge`\n/],
    ["server_unreachable", /^### `server_unreachable`\n[^#]*$/],
    ["tokens", /^#/],
  ])("prints the page or the section of '%s'", verifies("cli.docs"), async (word, text) => {
    expect(await runCommand(["docs", word])).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(text) })
  })

  it("names only further pages whose title or headings have the word", verifies("cli.docs"), async () => {
    expect((await runCommand(["docs", "gate"])).stderr).toMatch(/^\nmore: /)
    expect((await runCommand(["docs", "init"])).stderr).not.toMatch(/guarantees|releases/)
  })

  it("names near pages for an unknown word", verifies("cli.docs"), async () => {
    const { exitCode, stderr } = await runCommand(["docs", "gatesx"])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("Did you mean gates?")])
  })
})
