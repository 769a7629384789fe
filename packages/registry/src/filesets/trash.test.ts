import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openTrash, type Trash } from "./trash.ts"

describe("the trash", () => {
  let root: string
  let trash: Trash
  const folder = () => join(root, "filesets/default/a")
  const files = async () =>
    (await readdir(root, { recursive: true })).filter((name) => name.endsWith(".txt")).toSorted()

  async function write(name: string): Promise<void> {
    await mkdir(folder(), { recursive: true })
    await writeFile(join(folder(), name), "")
  }

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "trash-"))
    trash = openTrash(root)
  })
  afterEach(() => rm(root, { recursive: true }))

  it("takes a folder in one step, gives it back, and empties it", async () => {
    await write("1.txt")
    await trash.put([{ id: "one", folder: folder() }])
    expect(await files()).toEqual([".trash/one/1.txt"])
    expect(await trash.ids()).toEqual(["one"])
    await trash.restore({ id: "one", folder: folder() })
    expect(await files()).toEqual(["filesets/default/a/1.txt"])
    await trash.put([{ id: "one", folder: folder() }])
    await trash.empty("one")
    expect(await trash.ids()).toEqual([])
  })

  it("takes no notice of a folder that is missing, and of nothing to give back", async () => {
    await trash.put([{ id: "one", folder: folder() }])
    await trash.restore({ id: "one", folder: folder() })
    await trash.empty("one")
    expect([await trash.ids(), await files()]).toEqual([[], []])
  })

  it("takes what was written between two attempts to remove a fileset along", async () => {
    await write("1.txt")
    await trash.put([{ id: "one", folder: folder() }])
    await write("2.txt")
    await trash.put([{ id: "one", folder: folder() }])
    expect(await files()).toEqual([".trash/one/1.txt"])
  })

  it("gives back nothing where there is a folder again", async () => {
    await write("1.txt")
    await trash.put([{ id: "one", folder: folder() }])
    await write("2.txt")
    await trash.restore({ id: "one", folder: folder() })
    expect(await files()).toEqual([".trash/one/1.txt", "filesets/default/a/2.txt"])
  })

  it("says what stands in the way of a removal", async () => {
    await writeFile(join(root, ".trash"), "a file")
    await expect(trash.put([{ id: "one", folder: folder() }])).rejects.toMatchObject({ code: "upstream_failed" })
  })
})
