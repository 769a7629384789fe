import { verifies } from "@assay/testkit"
import { beforeAll, describe, expect, it } from "vitest"
import { serveCommands } from "../../testing/serve-commands.ts"

const { folder, assay } = serveCommands()

const SCHEMA = { type: "object", properties: { q: { type: "string" }, n: { type: "integer" } } }

beforeAll(async () => {
  folder.write("rows/bad.jsonl", '{"q":"x","n":1}\n{"q":3}\n\n{"q":"y","n":"2"}\n')
  folder.write("rows/bad.csv", "q,n\nx,1\ny,two\n")
  folder.write("rows/good.jsonl", '{"q":"x","n":1}\n')
  await assay(
    "fileset",
    "create",
    "strict",
    "--metadata",
    JSON.stringify({ dataset: { enforce: "reject", schema: SCHEMA } }),
  )
})

const FAULTS = [
  './rows/bad.csv:3:8 /n must be integer; it is "two"',
  "./rows/bad.jsonl:2:16 /q must be string; it is 3",
  './rows/bad.jsonl:4:25 /n must be integer; it is "2"',
]
const faultsOf = (stderr: string, word: string): string[] =>
  stderr
    .split("\n")
    .filter((line) => line.startsWith(`${word}  `))
    .map((line) => line.slice(word.length + 2))
    .toSorted()

describe("rows that a fileset rejects", () => {
  it(
    "are reported by a dry run with file and line, and nothing is sent",
    verifies("cli.transfer.dry-run-refusals", "cli.push.row-places"),
    async () => {
      const { exitCode, stdout, stderr } = await assay("push", "./rows", "strict", "--dry-run")
      expect(faultsOf(stderr, "refused")).toEqual(FAULTS)
      expect(stdout).toBe("new      good.jsonl\n")
      expect(stderr).toMatch(/would push 1 file \(16 B\) to default\/strict, 2 refused/)
      expect(stderr).toMatch(/error: 2 files would be refused, 1 file would move: \.\/rows\/bad\./)
      expect(exitCode).toBe(2)
      expect((await assay("ls", "strict")).stdout).toBe("")
    },
  )

  it("are reported by a push with file and line, as text and as JSON", verifies("cli.push.row-places"), async () => {
    const pushed = await assay("push", "./rows", "strict")
    expect(faultsOf(pushed.stderr, "failed")).toEqual(FAULTS)
    expect(pushed.exitCode).toBe(2)
    const { stdout } = await assay("push", "./rows", "strict", "--json")
    const { failed } = JSON.parse(stdout) as { failed: { path: string; rows: unknown[] }[] }
    expect(failed.find(({ path }) => path === "bad.jsonl")?.rows).toEqual([
      { row_index: 1, line: 2, offset: 16, pointer: "/q", message: "must be string; it is 3" },
      { row_index: 2, line: 4, offset: 25, pointer: "/n", message: 'must be integer; it is "2"' },
    ])
  })

  it("are reported under the name that the user wrote, for one file", async () => {
    const { stderr } = await assay("push", "rows/bad.csv", "strict#other.csv")
    expect(stderr).toContain('failed  rows/bad.csv:3:8 /n must be integer; it is "two"\n')
  })
})

describe("a dry run", () => {
  it("reports file names that no fileset accepts", verifies("cli.transfer.dry-run-refusals"), async () => {
    folder.write("names/back\\slash", "x")
    const { exitCode, stderr } = await assay("push", "./names", "names", "--dry-run")
    expect(stderr).toMatch(/^refused {2}back\\slash: /m)
    expect(exitCode).toBe(2)
  })
})
