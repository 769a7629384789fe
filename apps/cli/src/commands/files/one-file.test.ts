import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { beforeAll, describe, expect, it } from "vitest"
import { readTree } from "../../testing/read-tree.ts"
import { serveCommands } from "../../testing/serve-commands.ts"

const { folder, assay, listed } = serveCommands()

beforeAll(async () => {
  folder.write("one.csv", "a,b\n1,2\n")
  folder.write("tree/data/x.csv", "x")
  folder.write("tree/data/y.json", "y")
  folder.write("tree/drafts/x.csv", "draft")
  folder.write("tree/top.csv", "top")
})

const content = (...names: string[]): string => readFileSync(join(folder.path, ...names), "utf8")

describe("a copy", () => {
  it("the other way names the command that is meant", async () => {
    const pushed = await assay("push", "default/tree", "./new")
    expect([pushed.exitCode, pushed.stderr]).toEqual([
      2,
      expect.stringMatching(/run:\n\n {4}assay pull default\/tree \.\/new\n$/),
    ])
    const pulled = await assay("pull", "./tree", "copied")
    expect([pulled.exitCode, pulled.stderr]).toEqual([
      2,
      expect.stringMatching(/run:\n\n {4}assay push \.\/tree copied\n$/),
    ])
  })

  it("warns about a purpose that changes nothing, and names what undoes a deletion", async () => {
    const first = await assay("push", "./tree", "kept", "--purpose", "dataset")
    expect(first.stderr).not.toContain("warning: --purpose")
    const again = await assay("push", "./tree", "kept", "--purpose", "model")
    expect(again.stderr).toContain(
      "warning: --purpose changed nothing, because the fileset default/kept exists already",
    )
    expect(again.stderr).not.toContain("fileset restore")
    const synced = await assay("sync", "./tree/data", "kept", "--delete")
    expect(synced.stderr).toContain("`assay fileset restore default/kept REVISION` brings it back")
  })
})

describe("a copy of one file", () => {
  it(
    "is pushed under its own name, under another name, and into a folder",
    verifies("cli.transfer.one-file"),
    async () => {
      const { exitCode, stderr } = await assay("push", "one.csv", "pushed")
      expect(stderr).toContain("pushed 1 file (8 B) to default/pushed#one.csv")
      expect(exitCode).toBe(0)
      await assay("push", "./one.csv", "pushed#train/two.csv")
      await assay("push", "./one.csv", "pushed#deep/folder/")
      expect(await listed("pushed")).toEqual(["deep/folder/one.csv", "one.csv", "train/two.csv"])
      expect(JSON.parse((await assay("push", "one.csv", "pushed", "--json")).stdout)).toMatchObject({
        files: 0,
        unchanged: 1,
      })
    },
  )

  it(
    "is pulled to a name, into a folder that exists, and into a folder that ends with a slash",
    verifies("cli.transfer.one-file"),
    async () => {
      await assay("push", "one.csv", "pulled#in/one.csv")
      const { stderr } = await assay("pull", "pulled#in/one.csv", "./new/name.csv")
      expect(stderr).toContain("pulled 1 file (8 B) from default/pulled#in/one.csv")
      await assay("pull", "pulled#in/one.csv", "./new")
      await assay("pull", "pulled#in/one.csv", "./other/")
      expect(content("new/name.csv")).toBe(content("one.csv"))
      expect(content("new/one.csv")).toBe(content("one.csv"))
      expect(content("other/one.csv")).toBe(content("one.csv"))
    },
  )

  it("works with cp and sync, to and from this machine", verifies("cli.transfer.one-file"), async () => {
    expect((await assay("cp", "./one.csv", "copied#there.csv")).stderr).toContain("to default/copied#there.csv")
    expect((await assay("cp", "copied#there.csv", "./copied.csv")).stderr).toContain("to ./copied.csv")
    await assay("sync", "copied#there.csv", "./synced.csv")
    expect([content("copied.csv"), content("synced.csv")]).toEqual([content("one.csv"), content("one.csv")])
    const synced = await assay("sync", "./synced.csv", "copied#again.csv", "--delete")
    expect(synced.exitCode).toBe(0)
    expect(await listed("copied")).toEqual(["again.csv", "there.csv"])
  })

  it("accepts one folder of this machine as a side of cp, but not two", async () => {
    expect((await assay("cp", "./tree", "copied-tree")).exitCode).toBe(0)
    expect((await assay("cp", "copied-tree", "./tree-back")).exitCode).toBe(0)
    expect(readTree(join(folder.path, "tree-back"))).toEqual(readTree(join(folder.path, "tree")))
    const { exitCode, stderr } = await assay("cp", "./tree", "./elsewhere")
    expect(exitCode).toBe(2)
    expect(stderr).toContain("'./tree' and './elsewhere' are both on this machine")
  })
})

describe("a path that does not exist", () => {
  it("is an error, and nothing is created", verifies("cli.transfer.nothing-found"), async () => {
    await assay("push", "./tree", "some")
    for (const words of [
      ["pull", "some#nope", "./made"],
      ["pull", "some#dat", "./made"],
      ["cp", "some#top.csv/", "made"],
      ["sync", "some#nope/", "./made", "--delete"],
    ]) {
      const { exitCode, stderr } = await assay(...words)
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining("not found in fileset 'default/some'")])
    }
    expect(existsSync(join(folder.path, "made"))).toBe(false)
    expect((await assay("fileset", "get", "made")).exitCode).toBe(2)
  })

  it("is not an error for a whole fileset that is empty", async () => {
    await assay("fileset", "create", "empty")
    expect((await assay("pull", "empty", "./from-empty")).exitCode).toBe(0)
  })
})

describe("--include and --exclude", () => {
  it("select files by name, by path and by folder", verifies("cli.transfer.filters"), async () => {
    const select = async (...flags: string[]) => {
      const { stdout } = await assay("push", "./tree", "selected", "--dry-run", "--json", ...flags)
      return (JSON.parse(stdout) as { actions: { path: string }[] }).actions.map(({ path }) => path)
    }
    expect(await select("--include", "*.csv")).toEqual(["data/x.csv", "drafts/x.csv", "top.csv"])
    expect(await select("--include", "*.csv", "--exclude", "drafts/")).toEqual(["data/x.csv", "top.csv"])
    expect(await select("--include", "data", "--include", "/top.csv")).toEqual(["data/x.csv", "data/y.json", "top.csv"])
    expect(await select("--include", "/x.csv", "--include", "d*/x.csv")).toEqual(["data/x.csv", "drafts/x.csv"])
    expect(await select("--exclude", "**/x.csv")).toEqual(["data/y.json", "top.csv"])
  })

  it("protect files that they do not select from sync --delete", verifies("cli.transfer.filters"), async () => {
    await assay("push", "./tree", "kept")
    folder.write("less/top.csv", "top")
    await assay("sync", "./less", "kept", "--delete", "--exclude", "drafts")
    expect(await listed("kept")).toEqual(["drafts/x.csv", "top.csv"])
  })

  it("fail if --include matches nothing", verifies("cli.transfer.nothing-found"), async () => {
    const { exitCode, stderr } = await assay("push", "./tree", "none", "--include", "*.cvs")
    expect(exitCode).toBe(2)
    expect(stderr).toContain("Nothing in ./tree matches --include '*.cvs'.")
  })
})
