import { createHash } from "node:crypto"
import { mkdir, rm, symlink, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { verifies, bytesOf, textOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry, type Registry } from "../testing/test-registry.ts"
import { filesOf } from "../testing/files-of-revision.ts"
import type { Revision } from "./revisions.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const UNKNOWN = "0123456789abcdef0123456789abcdef01234567"

describe.each(DATABASE_KINDS)("revisions on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  beforeEach(async () => {
    test = await createTestRegistry(kind)
    registry = test.registry
    await registry.filesets.create("default", { name: "set" })
  })
  afterEach(() => test.remove())

  const write = (path: string, text: string) =>
    registry.files.write("default", "set", parseFilePath(path), bytesOf(text))
  const get = (revision?: string): Promise<Revision> => registry.revisions.get("default", "set", revision)
  const read = async (path: string, revision?: string) => {
    const { commit, file, bytes } = await registry.revisions.read("default", "set", parseFilePath(path), { revision })
    return { commit, sha256: file.sha256, etag: file.etag, text: await textOf(bytes) }
  }
  /** Writes a file without the registry, as another program does. */
  const put = async (path: string, text: string) => {
    const file = join(test.folder, "storage/filesets/default/set", path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    return file
  }

  it("have an id that changes if and only if a file changes", verifies("hub.commit-id"), async () => {
    const empty = await get()
    expect(empty).toMatchObject({ commit: expect.stringMatching(/^[0-9a-f]{40}$/), title: "" })
    expect(await filesOf(empty)).toEqual([])
    const written = await write("b/c", "one")
    const first = await get()
    expect(await filesOf(first)).toEqual([
      { path: "b/c", size: 3, version: `"${sha256("one")}"`, sha256: sha256("one") },
    ])
    await write("b/c", "one")
    expect(await get()).toBe(first)
    const ids = new Set([empty.commit, first.commit])
    const changes = [
      () => write("b/c", "two"),
      () => write("a", ""),
      () => registry.files.remove("default", "set", parseFilePath("b/c")),
      () => write("b/d", "two"),
    ]
    for (const change of changes) {
      await change()
      const { commit } = await get()
      expect((await get()).commit).toBe(commit)
      ids.add(commit)
    }
    expect(ids.size).toBe(6)
    await registry.files.remove("default", "set", parseFilePath("a"))
    await registry.files.remove("default", "set", parseFilePath("b/d"))
    await write("b/c", "one")
    expect(ids).not.toContain((await get()).commit)
    expect(written.sha256).toBe(sha256("one"))
  })

  it("list each commit, also one that returns to earlier files", verifies("hub.history"), async () => {
    const commitFiles = async (title: string) => registry.revisions.refresh("default", "set", title)
    await write("a", "one")
    const first = await commitFiles("first")
    const ids = [first.commit]
    for (const title of ["second", "third", "fourth", "fifth"]) {
      if (ids.length % 2 === 1) await write("b", "two")
      else await registry.files.remove("default", "set", parseFilePath("b"))
      ids.push((await commitFiles(title)).commit)
    }
    expect(new Set(ids).size).toBe(5)
    const another = await test.openAnother()
    for (const { revisions } of [registry, another]) {
      const commits = await revisions.list("default", "set")
      expect(commits.map(({ commit }) => commit)).toEqual(ids.toReversed())
      expect(commits.map(({ title }) => title)).toEqual(["fifth", "fourth", "third", "second", "first"])
      const times = commits.map(({ createdAt }) => createdAt)
      expect(times).toEqual(times.toSorted((one, other) => other - one))
      expect((await filesOf(await revisions.get("default", "set", ids[2]))).map(({ path }) => path)).toEqual(["a"])
    }
    expect(await read("a", first.commit)).toMatchObject({ commit: first.commit, text: "one" })
  })

  it("are the same on every server of a database, and after a restart", async () => {
    await write("a", "one")
    const { commit } = await get()
    const another = await test.openAnother()
    expect((await another.revisions.get("default", "set")).commit).toBe(commit)
    expect((await another.revisions.read("default", "set", parseFilePath("a"), { revision: commit })).commit).toBe(
      commit,
    )
  })

  it("are remembered for a second, and never contradict a file that is read", async () => {
    await write("a", "one")
    test.clock.still = true
    const before = await get()
    await put("b", "unseen")
    expect(await get()).toBe(before)
    const { commit } = await read("b")
    expect(commit).not.toBe(before.commit)
    expect((await get()).commit).toBe(commit)
    await put("c", "later")
    expect((await get()).commit).toBe(commit)
    test.clock.time += 1000
    expect((await filesOf(await get())).map(({ path }) => path)).toEqual(["a", "b", "c"])
  })

  it("show changes by this server at once, and those by others within a second, also through links", async () => {
    const list = async () => (await filesOf(await get())).map(({ path, size }) => [path, size])
    await Promise.all([write("a/x", "1"), write("a/y", "1"), put("a/z", "1")])
    test.clock.still = true
    expect(await list()).toHaveLength(3)
    await put("a/unseen", "1")
    await write("a/x", "22")
    await write("a/new", "22")
    await registry.files.remove("default", "set", parseFilePath("a/y"))
    const shown = [
      ["a/new", 2],
      ["a/x", 2],
      ["a/z", 1],
    ]
    // The file of another program is missing: only changed files were looked at.
    expect(await list()).toEqual(shown)
    const updated = await get()
    await rm(join(test.folder, "storage/filesets/default/set/a/unseen"))
    test.clock.time += 1000
    expect(await get()).toBe(updated)

    await symlink("x", join(test.folder, "storage/filesets/default/set/a/link"))
    test.clock.time += 1000
    expect(await list()).toEqual([["a/link", 2], ...shown])
    await write("a/x", "333")
    expect(await list()).toEqual([
      ["a/link", 3],
      ["a/new", 2],
      ["a/x", 3],
      ["a/z", 1],
    ])
  })

  it("return digests of files that others put there, which are read once", verifies("hub.etag"), async () => {
    await put("a", "one")
    const tree = await get()
    expect((await filesOf(tree))[0]).toMatchObject({ path: "a", sha256: null })
    expect(await read("a")).toEqual({
      commit: tree.commit,
      sha256: sha256("one"),
      etag: `"${sha256("one")}"`,
      text: "one",
    })
    expect(await registry.revisions.digests("default", "set", await filesOf(tree))).toEqual([sha256("one")])
    expect((await get()).commit).toBe(tree.commit)
    await put("a", "other")
    expect((await registry.revisions.stat("default", "set", parseFilePath("a"))).file).toMatchObject({
      size: 5,
      sha256: sha256("other"),
    })
    expect(await registry.revisions.digests("default", "set", await filesOf(tree))).toEqual([null])
    const tables = await test.openTables()
    const rows = await tables.read((queries) =>
      queries.selectFrom("content_digests").select(["path", "sha256"]).execute(),
    )
    expect(rows).toEqual([{ path: "a", sha256: sha256("other") }])
  })

  it("compute a digest once for many concurrent requests", async () => {
    const file = await put("a", "x".repeat(3_000_000))
    const asked = await Promise.all(
      Array.from({ length: 20 }, () => registry.revisions.stat("default", "set", parseFilePath("a"))),
    )
    expect(new Set(asked.map(({ file }) => file.sha256))).toEqual(new Set([sha256("x".repeat(3_000_000))]))
    await utimes(file, 1, 1)
    await rm(file)
    await expect(registry.revisions.stat("default", "set", parseFilePath("a"))).rejects.toMatchObject({
      code: "not_found",
    })
  })

  it(
    "of old commits serve the unchanged files, and no others",
    verifies("hub.old-commits", "hub.unknown-commit"),
    async () => {
      await write("same", "one")
      await write("changed", "two")
      await write("gone", "three")
      const old = await get()
      const { commit } = old
      await write("changed", "four")
      await registry.files.remove("default", "set", parseFilePath("gone"))
      await write("new", "five")
      expect(await filesOf(await get(commit))).toEqual(await filesOf(old))
      expect(await read("same", commit)).toMatchObject({ commit, text: "one" })
      for (const path of ["changed", "gone", "new", "never"]) {
        const isThere = path === "changed" || path === "gone"
        const error = isThere
          ? { code: "revision_gone", context: { path, revision: commit } }
          : { code: "not_found", context: { path, commit } }
        await expect(read(path, commit)).rejects.toMatchObject(error)
        await expect(
          registry.revisions.stat("default", "set", parseFilePath(path), { revision: commit }),
        ).rejects.toMatchObject(error)
      }
      await write("changed", "two")
      expect(await read("changed", commit)).toMatchObject({ commit, text: "two" })
      for (const revision of [UNKNOWN, "dev", "", commit.slice(1)]) {
        const error = { code: "not_found", context: { revision } }
        await expect(get(revision)).rejects.toMatchObject(error)
        await expect(read("same", revision)).rejects.toMatchObject(error)
      }
    },
  )

  it("are kept up to a hundred, newest first, each with its title", async () => {
    const ids: string[] = []
    for (let count = 0; count <= 100; count++) {
      await write("a", String(count))
      ids.push((await registry.revisions.refresh("default", "set", `Change ${count}`)).commit)
    }
    const commits = await registry.revisions.list("default", "set")
    expect(commits.map(({ commit }) => commit)).toEqual(ids.slice(1).toReversed())
    expect(commits[0]).toMatchObject({ title: "Change 100" })
    for (const one of [registry, await test.openAnother()]) {
      await expect(one.revisions.get("default", "set", ids[0])).rejects.toMatchObject({ context: { revision: ids[0] } })
      expect((await filesOf(await one.revisions.get("default", "set", ids[1])))[0]?.sha256).toBe(sha256("1"))
    }
  }, 60_000)

  it("find files by their content", async () => {
    await write("a/b", "one")
    await put("c", "two")
    await write("d", "one")
    const find = async (text: string) =>
      ((await registry.revisions.find("default", "set", [sha256(text), sha256("none")])).get(sha256(text)) ?? []).map(
        ({ path, size }) => ({ path, size }),
      )
    expect(await find("one")).toEqual([
      { path: "a/b", size: 3 },
      { path: "d", size: 3 },
    ])
    expect(await find("two")).toEqual([])
    await read("c")
    expect(await find("two")).toEqual([{ path: "c", size: 3 }])
    await write("c", "three")
    expect(await find("two")).toEqual([])
  })

  it("are refused for a missing fileset and an invalid path", async () => {
    await expect(registry.revisions.get("default", "none")).rejects.toMatchObject({ code: "not_found" })
    await expect(read("../a")).rejects.toMatchObject({ code: "bad_path" })
    const { commit } = await get()
    await expect(read("missing")).rejects.toMatchObject({ context: { path: "missing", commit } })
  })

  it("are removed with their fileset, and a new one of the name has new ones", async () => {
    await write("a", "one")
    const { commit } = await get()
    await registry.filesets.remove("default", "set")
    await registry.filesets.create("default", { name: "set" })
    await expect(get(commit)).rejects.toMatchObject({ context: { revision: commit } })
    const tables = await test.openTables()
    const trees = () => tables.read((queries) => queries.selectFrom("file_trees").select("commit_id").execute())
    await expect.poll(trees).toEqual([])
  })
})
