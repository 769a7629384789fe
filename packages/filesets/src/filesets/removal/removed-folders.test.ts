import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openRemovedFolders, type RemovedFolders } from "./removed-folders.ts"

describe("the trash", () => {
  let root: string
  let removed: RemovedFolders
  const folder = () => join(root, "filesets/default/a")
  const files = async () =>
    (await readdir(root, { recursive: true })).filter((name) => name.endsWith(".txt")).toSorted()

  async function write(name: string): Promise<void> {
    await mkdir(folder(), { recursive: true })
    await writeFile(join(folder(), name), "")
  }

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "trash-"))
    removed = openRemovedFolders(root)
  })
  afterEach(() => rm(root, { recursive: true }))

  it("takes a folder in one step, restores it, and empties it", async () => {
    await write("1.txt")
    await removed.put([{ id: "one", folder: folder() }])
    expect(await files()).toEqual([".trash/one/1.txt"])
    expect(await removed.ids()).toEqual(["one"])
    await removed.restore({ id: "one", folder: folder() })
    expect(await files()).toEqual(["filesets/default/a/1.txt"])
    await removed.put([{ id: "one", folder: folder() }])
    await removed.empty("one")
    expect(await removed.ids()).toEqual([])
  })

  it("ignores a missing folder, and a restore without files", async () => {
    await removed.put([{ id: "one", folder: folder() }])
    await removed.restore({ id: "one", folder: folder() })
    await removed.empty("one")
    expect([await removed.ids(), await files()]).toEqual([[], []])
  })

  it("also takes files that were written between two attempts to remove a fileset", async () => {
    for (const name of ["1.txt", "2.txt", "3.txt"]) {
      await write(name)
      await removed.put([{ id: "one", folder: folder() }])
    }
    expect(await files()).toHaveLength(3)
    expect(await readdir(join(root, "filesets/default"))).toEqual([])
    expect(await removed.ids()).toEqual(["one"])
    await removed.empty("one")
    expect(await readdir(join(root, ".trash"))).toEqual([])
  })

  it("takes a folder again if another server writes to it during the removal", async () => {
    await write("1.txt")
    await removed.put([{ id: "one", folder: folder() }])
    const stop = new AbortController()
    async function writeOn(number: number): Promise<void> {
      for (let count = 0; !stop.signal.aborted; count++) await write(`${number}-${count}.txt`).catch(() => {})
    }
    const writers = [1, 2, 3].map(writeOn)
    for (let round = 0; round < 50; round++) await removed.put([{ id: "one", folder: folder() }])
    stop.abort()
    await Promise.all(writers)
    await removed.put([{ id: "one", folder: folder() }])
    await removed.empty("one")
    expect(await files()).toEqual([])
  })

  it("restores every file of several attempts, and the newest of the same name", async () => {
    for (const text of ["first", "second"]) {
      await write("a.txt")
      if (text === "second") await write("name")
      else await mkdir(join(folder(), "name/of-a-file"), { recursive: true })
      await mkdir(join(folder(), "sub"))
      await writeFile(join(folder(), "sub/b.txt"), text)
      await writeFile(join(folder(), `${text}.txt`), text)
      await removed.put([{ id: "one", folder: folder() }])
    }
    await mkdir(join(folder(), "sub"), { recursive: true })
    await writeFile(join(folder(), "sub/c.txt"), "third")
    await removed.restore({ id: "one", folder: folder() })
    const all = ["a.txt", "first.txt", "second.txt", "sub/b.txt", "sub/c.txt"]
    expect(await files()).toEqual(all.map((name) => `filesets/default/a/${name}`))
    expect(await readFile(join(folder(), "sub/b.txt"), "utf8")).toBe("second")
    expect(await readdir(join(root, ".trash"))).toEqual([])
  })

  it("reports why a removal fails", async () => {
    await writeFile(join(root, ".trash"), "a file")
    await expect(removed.put([{ id: "one", folder: folder() }])).rejects.toMatchObject({ code: "upstream_failed" })
  })
})
