import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { beforeAll, describe, expect, it } from "vitest"
import { readTree } from "../../testing/read-tree.ts"
import { serveCommands } from "../../testing/serve-commands.ts"

const { folder, assay, listed } = serveCommands()

beforeAll(async () => {
  folder.write("a/train/a.csv", "1,2")
  folder.write("a/train/deep/b.csv", "3,4")
  folder.write("a/odd #ä%2F.txt", "odd")
  await assay("push", "./a", "origin")
})

describe("assay cp", () => {
  it(
    "copies a whole fileset, creates the target, and copies nothing twice",
    verifies("cli.transfer.only-changes"),
    async () => {
      const first = await assay("cp", "origin", "copies-1", "--purpose", "dataset")
      expect(first.stderr).toMatch(
        /^created the fileset default\/copies-1 \(dataset\)\ncopied 3 files .* to default\/copies-1/,
      )
      await assay("pull", "copies-1", "./b")
      expect(readTree(join(folder.path, "b"))).toEqual(readTree(join(folder.path, "a")))
      const again = await assay("cp", "origin", "copies-1", "--json")
      expect(JSON.parse(again.stdout)).toMatchObject({ files: 0, unchanged: 3 })
    },
  )

  it(
    "copies purpose, metadata, custom fields and row schemas of a whole fileset",
    verifies("cli.cp.keeps"),
    async () => {
      const fields = { description: "reviews of 2026", custom_fields: { team: "nlp" }, purpose: "dataset" }
      const metadata = { dataset: { schema: { type: "object" }, schemas_by_path: { "a.jsonl": { type: "object" } } } }
      const flags = ["--purpose", "dataset", "--description", fields.description]
      await assay(
        "fileset",
        "create",
        "kept",
        ...flags,
        "--metadata",
        JSON.stringify(metadata),
        "--custom-fields",
        '{"team":"nlp"}',
      )
      folder.write("rows/a.jsonl", '{"a":1}\n')
      await assay("push", "./rows", "kept")
      const record = async (name: string) =>
        JSON.parse((await assay("fileset", "get", name, "--json")).stdout) as object
      for (const words of [
        ["cp", "kept", "kept-copy"],
        ["sync", "kept", "kept-sync"],
      ]) {
        expect((await assay(...words)).exitCode).toBe(0)
        expect(await record(words[2] ?? "")).toMatchObject({ ...fields, metadata })
      }
      await assay("cp", "kept", "kept-other", "--purpose", "generic")
      expect(await record("kept-other")).toMatchObject({ ...fields, metadata, purpose: "generic" })
      await assay("cp", "kept#a.jsonl", "kept-part")
      expect(await record("kept-part")).toMatchObject({ purpose: "dataset", metadata: {}, custom_fields: {} })
      await assay("cp", "kept", "kept-below#deep/")
      expect(await record("kept-below")).toMatchObject({ purpose: "dataset", metadata: {} })
    },
  )

  it("copies a folder, and keeps other files of the target", async () => {
    await assay("cp", "origin#train", "copies-2#here")
    await assay("cp", "origin#train/deep/", "copies-2")
    expect(await listed("copies-2")).toEqual(["b.csv", "here/a.csv", "here/deep/b.csv"])
  })

  it("copies one file to a new name, into a folder, or under its own name", async () => {
    await assay("cp", "origin#train/a.csv", "copies-3#other/name.csv")
    await assay("cp", "origin#train/a.csv", "copies-3#folder/")
    await assay("cp", "origin#odd #ä%2F.txt", "copies-3")
    expect(await listed("copies-3")).toEqual(["folder/a.csv", "odd #ä%2F.txt", "other/name.csv"])
    const again = await assay("cp", "origin#train/a.csv", "copies-3#other/name.csv", "--json")
    expect(JSON.parse(again.stdout)).toMatchObject({ files: 0, unchanged: 1 })
  })

  it("in a dry run prints what it would copy, and creates nothing", async () => {
    const { stdout } = await assay("cp", "origin#train", "copies-4", "--dry-run", "--json")
    expect(JSON.parse(stdout)).toMatchObject({ files: 2, dry_run: true })
    expect((await assay("ls", "copies-4")).exitCode).toBe(2)
  })

  it("names a fileset that does not exist", async () => {
    const missing = await assay("cp", "nothing", "copies-5")
    expect(missing.exitCode).toBe(2)
    expect(missing.stderr).toContain("Fileset 'nothing' not found")
  })
})
