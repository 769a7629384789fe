import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import type { Storage } from "../storage.ts"
import { codeOf, listPaths, readAll, writeAll } from "../testing/ask.ts"
import { makeTestFolder } from "../testing/make-test-folder.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import { openLocalStorage } from "./open.ts"

const CONTENT = Buffer.from(sampleBytes(50))
const SECRET = Buffer.from("not for you")

/** Creates a root with `inside/file`, and beside it a folder `outside` with `secret`. */
async function makeFolders(): Promise<{ root: string; outside: string; storage: Storage }> {
  const folder = await makeTestFolder()
  const folders = { root: join(folder, "root"), outside: join(folder, "outside") }
  await mkdir(join(folders.root, "inside"), { recursive: true })
  await mkdir(join(folders.outside, "folder"), { recursive: true })
  await writeFile(join(folders.root, "inside/file"), CONTENT)
  await writeFile(join(folders.outside, "secret"), SECRET)
  return { ...folders, storage: openLocalStorage({ type: "local", path: folders.root }, { durable: false }) }
}

describe("a link that stays inside the root", () => {
  it("is followed by reads, writes and listings", async () => {
    const { root, storage } = await makeFolders()
    await symlink("inside", join(root, "folder-link"))
    await symlink(join(root, "inside/file"), join(root, "file-link"))
    expect(await readAll(storage, "folder-link/file")).toEqual(CONTENT)
    expect(await readAll(storage, "file-link")).toEqual(CONTENT)
    await writeAll(storage, "folder-link/new", CONTENT)
    expect(await readFile(join(root, "inside/new"))).toEqual(CONTENT)
    expect(await listPaths(storage)).toEqual([
      "file-link",
      "folder-link/file",
      "folder-link/new",
      "inside/file",
      "inside/new",
    ])
    expect(await listPaths(storage, { prefix: "folder-link/" })).toEqual(["folder-link/file", "folder-link/new"])
  })

  it("has the same ETag and digest as the file itself", async () => {
    const { root, storage } = await makeFolders()
    await symlink("inside", join(root, "link"))
    const { etag, sha256 } = await writeAll(storage, "link/new", CONTENT)
    await symlink("inside/new", join(root, "linked-file"))
    for (const path of ["inside/new", "link/new", "linked-file"].map(parseFilePath)) {
      expect(await storage.stat(path)).toMatchObject({ etag, sha256 })
      expect((await storage.read(path)).file).toMatchObject({ etag, sha256 })
    }
    const listed = await Array.fromAsync(storage.list())
    expect(listed.filter((file) => file.etag === etag)).toHaveLength(3)
  })

  it("is replaced or deleted itself, but never its target", async () => {
    const { root, storage } = await makeFolders()
    await symlink("inside/file", join(root, "first"))
    await symlink("inside/file", join(root, "second"))
    await writeAll(storage, "first", sampleBytes(7))
    await storage.delete(parseFilePath("second"))
    expect(await listPaths(storage)).toEqual(["first", "inside/file"])
    expect(await readAll(storage, "inside/file")).toEqual(CONTENT)
  })

  it("does not make a listing endless", async () => {
    const { root, storage } = await makeFolders()
    await symlink("..", join(root, "inside/up"))
    await symlink(".", join(root, "self"))
    await symlink("circle", join(root, "circle"))
    await symlink("nowhere", join(root, "broken"))
    expect(await listPaths(storage)).toEqual(["inside/file"])
    expect(await listPaths(storage, { prefix: "inside/up/inside" })).toEqual([])
    expect(await codeOf(readAll(storage, "circle"))).toBe("not_found")
    expect(await codeOf(readAll(storage, "circle/file"))).toBe("bad_path")
  })

  it("can be the root itself", async () => {
    const { root, outside } = await makeFolders()
    await symlink(root, join(outside, "root-link"))
    const storage = openLocalStorage({ type: "local", path: join(outside, "root-link") })
    expect(await readAll(storage, "inside/file")).toEqual(CONTENT)
    await writeAll(storage, "new/file", CONTENT)
    expect(await listPaths(storage)).toEqual(["inside/file", "new/file"])
    expect(await readFile(join(root, "new/file"))).toEqual(CONTENT)
  })
})

describe("a link that leads outside the root", () => {
  it.each(["out/secret", "out/missing", "out/missing/file", "out/folder/new", "secret-link"])(
    "is refused for %s, whether or not its target exists",
    verifies("files.path.symbolic-links"),
    async (text) => {
      const { root, outside, storage } = await makeFolders()
      await symlink(outside, join(root, "out"))
      await symlink("../outside/secret", join(root, "secret-link"))
      const path = parseFilePath(text)
      expect(await codeOf(storage.stat(path))).toBe("bad_path")
      expect(await codeOf(storage.read(path))).toBe("bad_path")
      expect(await codeOf(writeAll(storage, text, CONTENT))).toBe("bad_path")
      expect(await codeOf(storage.delete(path))).toBe("bad_path")
      expect(await codeOf(listPaths(storage, { prefix: text }))).toBe("bad_path")
      expect((await readdir(outside, { recursive: true })).toSorted()).toEqual(["folder", "secret"])
      expect(await readFile(join(outside, "secret"))).toEqual(SECRET)
    },
  )

  it("is left out of listings", verifies("files.path.symbolic-links"), async () => {
    const { root, outside, storage } = await makeFolders()
    await symlink(outside, join(root, "out"))
    await symlink(join(outside, "secret"), join(root, "inside/secret"))
    expect(await listPaths(storage)).toEqual(["inside/file"])
  })

  it(
    "is not accepted because its target's name begins like the root",
    verifies("files.path.symbolic-links"),
    async () => {
      const { root, storage } = await makeFolders()
      await mkdir(`${root}-other`)
      await writeFile(join(`${root}-other`, "secret"), SECRET)
      await symlink(`${root}-other`, join(root, "other"))
      expect(await codeOf(readAll(storage, "other/secret"))).toBe("bad_path")
    },
  )

  it("is never followed while it alternates with a folder", verifies("files.path.symbolic-links"), async () => {
    const { root, outside, storage } = await makeFolders()
    const turning = join(root, "turning")
    const end = new AbortController()
    onTestFinished(() => end.abort())
    async function takeTurns(): Promise<void> {
      while (!end.signal.aborted) {
        await mkdir(turning).catch(() => undefined)
        await writeFile(join(turning, "secret"), CONTENT).catch(() => undefined)
        await rm(turning, { recursive: true, force: true }).catch(() => undefined)
        await symlink(outside, turning).catch(() => undefined)
        await rm(turning, { recursive: true, force: true }).catch(() => undefined)
      }
    }
    const turns = takeTurns()
    for (let attack = 0; attack < 150; attack++) {
      const bytes = await readAll(storage, "turning/secret").catch(() => CONTENT)
      expect(Buffer.from(bytes).equals(SECRET)).toBe(false)
      await writeAll(storage, `turning/new-${attack}`, CONTENT).catch(() => undefined)
      for await (const file of storage.list()) expect(file.size).not.toBe(SECRET.byteLength)
    }
    end.abort()
    await turns
    expect((await readdir(outside, { recursive: true })).toSorted()).toEqual(["folder", "secret"])
    expect(await readFile(join(outside, "secret"))).toEqual(SECRET)
  })
})
