import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { serveCommands } from "../../testing/serve-commands.ts"

const { folder, assay, assayWith, listed } = serveCommands()

describe("assay mv", () => {
  it(
    "renames a file, moves it to another fileset, and replaces one only with --force",
    verifies("cli.mv"),
    async () => {
      for (const path of ["a.csv", "b.csv"]) folder.write(`moved/${path}`, `${path}\n`)
      await assay("push", "./moved", "moved")
      expect(await assay("mv", "moved#a.csv", "moved#train/c.csv")).toMatchObject({ exitCode: 0 })
      expect(await listed("moved")).toEqual(["b.csv", "train/c.csv"])
      const taken = await assay("mv", "moved#b.csv", "moved#train/c.csv")
      expect([taken.exitCode, taken.stderr]).toEqual([
        2,
        expect.stringContaining("'default/moved#train/c.csv' already"),
      ])
      expect(await assay("mv", "moved#b.csv", "moved#train/c.csv", "--force")).toMatchObject({ exitCode: 0 })
      expect((await assay("cat", "moved#train/c.csv")).stdout).toBe("b.csv\n")
      expect(await assay("mv", "moved#train/c.csv", "elsewhere")).toMatchObject({ exitCode: 0 })
      expect([await listed("moved"), await listed("elsewhere")]).toEqual([[], ["c.csv"]])
    },
  )

  it.each([
    [["elsewhere#c.csv", "elsewhere#c.csv"], "is named twice"],
    [["elsewhere#c.csv", "elsewhere#"], "is named twice"],
    [["elsewhere#none.csv", "elsewhere#d.csv"], "File 'none.csv' not found"],
    [["elsewhere", "other"], "does not name a file"],
  ])("refuses %j", verifies("cli.mv"), async (words, message) => {
    await assay("fileset", "create", "elsewhere", "--exist-ok")
    const { exitCode, stderr } = await assay("mv", ...words)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

describe("assay ls", () => {
  it("names the filesets and files that are near a missing one", async () => {
    folder.write("reviews/train.jsonl", "{}\n")
    await assay("push", "./reviews", "reviews")
    const missing = await assay("ls", "revews")
    expect(missing.stderr).toMatch(
      /^error: Fileset 'revews' not found in workspace 'default'\. Did you mean 'reviews'\?\n/,
    )
    const file = await assay("cat", "reviews#tain.jsonl")
    expect(file.stderr).toMatch(
      /^error: File 'tain\.jsonl' not found [^\n]*'default\/reviews'\. Did you mean 'train\.jsonl'\?\n/,
    )
    const none = await assay("ls", "quite-another")
    expect(none.stderr).toMatch(/^error: Fileset 'quite-another' not found in workspace 'default'\.\n/)
  })

  it("lists the folders of a level with their sizes, and files that match", verifies("cli.ls.folders"), async () => {
    for (const path of ["a.csv", "t/b.csv", "t/c.txt", "t/u/d.csv", "t-e.csv"]) folder.write(`tree/${path}`, "12345")
    await assay("push", "./tree", "tree")
    const lines = async (...words: readonly string[]) =>
      (await assay("ls", ...words)).stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.trim().split(/ {2,}/))
    const top = await lines("tree", "--folders")
    expect(top.map((cells) => cells.at(-1))).toEqual(["a.csv", "t-e.csv", "t/"])
    expect(top.at(-1)).toEqual(["15 B", "3 files", "t/"])
    expect((await lines("tree#t", "--folders")).map((cells) => cells.at(-1))).toEqual(["t/b.csv", "t/c.txt", "t/u/"])
    const csv = await assay("ls", "tree", "--include", "*.csv", "--exclude", "u/", "--json")
    const { data } = JSON.parse(csv.stdout) as { data: { path: string }[] }
    expect(data.map(({ path }) => path)).toEqual(["a.csv", "t-e.csv", "t/b.csv"])
    expect(await assay("ls", "tree", "--include", "*.md")).toMatchObject({ exitCode: 0, stdout: "" })
    const isTerminal = { stdin: true, stdout: true, stderr: true }
    expect((await assayWith(["ls", "tree#a.csv"], { isTerminal })).stdout).toMatch(/^ +5 B {2}just now {4}a\.csv\n$/)
  })

  it("lists filesets if none is named", verifies("cli.ls"), async () => {
    await assay("fileset", "create", "listed-here")
    const { stdout } = await assay("ls")
    expect(stdout).toContain("listed-here")
    expect(stdout).toBe((await assay("fileset", "list")).stdout)
    const refused = await assay("ls", "--include", "*.csv")
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining("--include selects files of a fileset"),
    ])
  })
})
