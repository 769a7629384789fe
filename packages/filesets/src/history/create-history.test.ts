import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { HISTORY_FOLDER, parseFilePath } from "@assay/storage"
import { sweepCalls, verifies, bytesOf, textOf } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { CallerFilesets } from "../open-filesets.ts"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createBucketRegistry, type BucketRegistry } from "../testing/bucket-registry.ts"
import { createTestRegistry, type TestRegistry, type Registry } from "../testing/test-registry.ts"

const DAY_MS = 86_400_000
/** Milliseconds, longer than a tick of the clock that gives files their times. */
const TICK_MS = 20

describe.each(DATABASE_KINDS)("the history of a fileset on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  let ada: CallerFilesets
  let folder: string
  let skew = 0
  let authors = 0
  beforeEach(async () => {
    skew = 0
    // The times of files are those of the machine.
    test = await createTestRegistry(kind, { now: () => Date.now() + skew, history: { days: 30, maxBytes: 1000 } })
    registry = test.registry
    ada = registry.as(() => false, "ada")
    folder = join(test.folder, "storage/filesets/default/rows")
    await registry.filesets.create("default", { name: "rows" })
  })
  afterEach(() => test.remove())

  const write = (path: string, text: string, by: CallerFilesets = ada) =>
    by.files.write("default", "rows", parseFilePath(path), bytesOf(text))
  const remove = (path: string) => ada.files.remove("default", "rows", parseFilePath(path))
  const read = async (path: string) => textOf((await ada.files.read("default", "rows", parseFilePath(path))).bytes)
  const changes = async () => (await ada.history.list("default", "rows", { limit: 10 })).changes
  const keptNames = () => readdir(join(folder, HISTORY_FOLDER)).catch(() => [])
  const restore = (revision: string, path?: string, isDryRun = false) =>
    ada.history.restore("default", "rows", {
      revision,
      path: path === undefined ? path : parseFilePath(path),
      isDryRun,
    })

  /** Lets the next change be one of its own: another author makes it, after a tick of the clock of the file system. */
  async function pause(): Promise<void> {
    ada = registry.as(() => false, `author ${(authors += 1)}`)
    await setTimeout(TICK_MS)
  }

  it("counts a new file for all readers, also for those that ask at the same time", async () => {
    await write("a", "one")
    const lists = await Promise.all([changes(), changes(), changes()])
    expect(lists.map((list) => list.map(({ added }) => added))).toEqual([[1], [1], [1]])
  })

  it("keeps what writes replace and deletes remove, and lists the changes with their authors", async () => {
    await write("a", "one")
    await write("b/c", "two")
    await write("a", "one")
    expect(await keptNames()).toEqual([])
    await write(
      "a",
      "three",
      registry.as(() => false, "bob"),
    )
    await remove("b/c")
    expect(await keptNames()).toHaveLength(2)
    expect(await changes()).toMatchObject([
      { author: "ada", added: 0, replaced: 0, deleted: 1 },
      { author: "bob", added: 0, replaced: 1, deleted: 0 },
      { author: "ada", added: 2, replaced: 0, deleted: 0 },
    ])
    const { versions, kept } = await ada.history.list("default", "rows", { limit: 10, path: parseFilePath("b") })
    expect(versions).toMatchObject([{ path: "b/c", size: 3, isDeleted: true, author: "ada", gone: undefined }])
    expect(kept).toEqual({ files: 2, bytes: 6 })
    const rows = await registry.filesets.get("default", "rows")
    expect((await registry.filesets.usage([rows])).get(rows.id)).toMatchObject({ kept_bytes: 6 })
    expect((await registry.filesets.usage([await registry.filesets.get("default", "rows")])).size).toBe(1)
    expect(Array.from(await Array.fromAsync(registry.files.walk("default", "rows", {})), ({ path }) => path)).toEqual([
      "a",
    ])
  })

  it.runIf(kind === "sqlite")(
    "restores nothing if it returns an error, whichever call of the disk fails",
    verifies("files.history-restore-undone"),
    async () => {
      const read = async () => [
        await Array.fromAsync(registry.files.walk("default", "rows", {}), ({ path, etag }) => `${path} ${etag}`),
        (await changes()).map(({ revision: at, added, replaced, deleted }) => [at, added, replaced, deleted]),
      ]
      for (const path of ["a", "b/c", "d"]) await write(path, path)
      const revision = (await changes())[0]?.revision ?? ""
      const check = (error: unknown, before: unknown, after: unknown) => {
        expect(error).toMatchObject({ name: "AssayError" })
        expect(String(error)).not.toContain("already")
        expect(after).toEqual(before)
      }
      for (const [call, code] of [
        ["open", "EMFILE"],
        ["renameSync", "EIO"],
        ["linkSync", "ENOSPC"],
        ["mkdir", "EROFS"],
      ] as const) {
        const prepare = async () => {
          await pause()
          for (const path of ["a", "d"]) await write(path, "three")
          await remove("b/c").catch(() => {})
          await write("b", "a file where a folder was")
          await pause()
          return { run: () => restore(revision), read }
        }
        expect(await sweepCalls({ call, code, prepare, check }), call).toBeGreaterThan(0)
      }
    },
  )

  it("restores a state, one path, and says before what it will do", verifies("files.history-restore"), async () => {
    await write("a", "one")
    await write("b/c", "two")
    await pause()
    await write("a", "three")
    await remove("b/c")
    await write("b", "a file where a folder was")
    const [, first] = await changes()
    const plan = {
      written: [
        { path: "a", size: 3 },
        { path: "b/c", size: 3 },
      ],
      deleted: ["b"],
    }
    const sorted = ({ written, deleted }: Awaited<ReturnType<typeof restore>>) => ({
      written: written.toSorted((x, y) => x.path.localeCompare(y.path)),
      deleted,
    })
    expect(sorted(await restore(first?.revision ?? "", undefined, true))).toEqual(plan)
    expect(await read("a")).toBe("three")
    await pause()
    const report = await restore((first?.revision ?? "").slice(0, 7))
    expect(sorted(report)).toEqual(plan)
    expect([await read("a"), await read("b/c")]).toEqual(["one", "two"])
    expect(await restore(first?.revision ?? "")).toMatchObject({ written: [], deleted: [], change: undefined })
    expect(await changes()).toHaveLength(3)
    // The restoration is a change, which can be undone for one path.
    const [, second] = await changes()
    await restore(second?.revision ?? "", "a")
    expect([await read("a"), await read("b/c")]).toEqual(["three", "two"])
    await expect(restore("0123456")).rejects.toMatchObject({ code: "not_found" })
    await expect(restore(first?.revision ?? "", "aa")).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining("no file or folder 'aa'"),
    })
  })

  it("compares two states, also times", async () => {
    await write("a", "one")
    await write("gone", "x")
    await pause()
    const time = new Date().toISOString()
    await setTimeout(TICK_MS)
    await write("a", "three")
    await write("new", "y")
    await remove("gone")
    const { files } = await ada.history.diff("default", "rows", { from: time })
    const found = (await Array.fromAsync(files)).map(({ change, path, from, to }) => [
      change,
      path,
      from?.size,
      to?.size,
    ])
    expect(found).toEqual([
      ["changed", "a", 3, 5],
      ["removed", "gone", 1, undefined],
      ["added", "new", undefined, 1],
    ])
    await expect(ada.history.diff("default", "rows", { from: "2026-01-01T00:00:00Z" })).rejects.toMatchObject({
      code: "bad_request",
    })
  })

  it(
    "refuses to restore bytes that are gone, names the files, and changes nothing",
    verifies("files.history-restore"),
    async () => {
      await write("a", "one")
      await write("b", "two")
      await pause()
      await write("a", "three")
      await remove("b")
      const [, first] = await changes()
      await ada.history.purge("default", "rows")
      expect(await keptNames()).toEqual([])
      await expect(restore(first?.revision ?? "")).rejects.toMatchObject({
        code: "revision_gone",
        message: expect.stringMatching(
          /2 files of 'default\/rows'.*'a' \(its bytes went on .*: somebody purged.*'b'.*Nothing changed/,
        ),
      })
      expect(await read("a")).toBe("three")
    },
  )

  it("takes bytes that a file still has under another name", async () => {
    await write("a", "one")
    await pause()
    await write("moved", "one")
    await remove("a")
    await ada.history.purge("default", "rows")
    const [, first] = await changes()
    await restore(first?.revision ?? "")
    expect(await read("a")).toBe("one")
    await expect(read("moved")).rejects.toMatchObject({ code: "not_found" })
  })

  it("keeps within its limit, the newest first, and nothing that is larger", async () => {
    const text = (length: number) => "x".repeat(length)
    await write("big", text(1001))
    await write("big", "small")
    expect(await keptNames()).toEqual([])
    for (let turn = 0; turn < 5; turn += 1) await write("a", text(300 + turn))
    await vi.waitFor(async () => expect(await keptNames()).toHaveLength(3), { timeout: 5000 })
    const { versions } = await ada.history.list("default", "rows", { limit: 10, path: parseFilePath("a") })
    expect(versions.map(({ size, gone }) => [size, gone === undefined])).toEqual([
      [303, true],
      [302, true],
      [301, true],
      [300, false],
    ])
    expect(versions.at(-1)?.gone).toMatch(/ASSAY_HISTORY_MAX_BYTES/)
  })

  it("lets bytes expire, and sweeps bytes without a record", async () => {
    await write("a", "one")
    await write("a", "three")
    const [name = ""] = await keptNames()
    const { id } = await registry.filesets.get("default", "rows")
    const orphan = `${"0".repeat(13)}-${id}-orphan`
    const others = `${"0".repeat(13)}-fileset-other-kept`
    await writeFile(join(folder, HISTORY_FOLDER, others), "kept by another fileset on this folder")
    await writeFile(join(folder, HISTORY_FOLDER, orphan), "left by a crash")
    await registry.sweepHistory()
    expect(new Set(await keptNames())).toEqual(new Set([others, name]))
    skew += 31 * DAY_MS
    await registry.sweepHistory()
    expect(await keptNames()).toEqual([others])
    const { versions } = await ada.history.list("default", "rows", { limit: 10, path: parseFilePath("a") })
    expect(versions[0]?.gone).toMatch(/ASSAY_HISTORY_DAYS/)
  })

  it("forgets a version that a crash recorded before it was kept", verifies("files.history"), async () => {
    await write("a", "one")
    await write("a", "two")
    const tables = await test.openTables()
    const [row] = await tables.read((queries) => queries.selectFrom("kept_files").selectAll().execute())
    const { etag } = await ada.files.stat("default", "rows", parseFilePath("a"))
    // As if the write of further bytes had been killed after its first step.
    const phantom = { ...row, id: row?.id.replace("kept", "never") ?? "", version: etag ?? "" }
    await tables.write((queries) =>
      queries
        .insertInto("kept_files")
        .values(phantom as never)
        .execute(),
    )
    const damage: unknown[] = []
    await registry.integrity.checkFiles({ onDamage: (found) => damage.push(found), signal: AbortSignal.timeout(9000) })
    expect(damage).toEqual([])
    skew += 3_700_000
    await (await test.openAnother()).sweepHistory()
    const { kept } = await ada.history.list("default", "rows", { limit: 1 })
    expect([kept.files, await keptNames()]).toEqual([1, [row?.id]])
  })

  it("goes with its fileset, and keeps nothing for a failed write", verifies("files.history-purge"), async () => {
    await write("a", "one")
    const failing = ada.files.write("default", "rows", parseFilePath("a"), bytesOf("two"), { sha256: "0".repeat(64) })
    await expect(failing).rejects.toMatchObject({ code: "checksum_mismatch" })
    expect(await keptNames()).toEqual([])
    await write("a", "three")
    await registry.filesets.remove("default", "rows")
    await registry.filesets.create("default", { name: "rows" })
    expect(await ada.history.list("default", "rows", { limit: 10 })).toMatchObject({ changes: [], kept: { files: 0 } })
    expect(await keptNames()).toEqual([])
  })
})

describe.each(DATABASE_KINDS)("the history of a fileset in a bucket, on %s", (kind) => {
  let test: BucketRegistry
  beforeEach(async () => {
    test = await createBucketRegistry(kind, { history: { days: 30, maxBytes: 1000 } })
    await test.registry.filesets.create("default", { name: "rows" })
  })
  afterEach(() => test.remove())

  it("restores what was replaced and deleted, and goes with its fileset", async () => {
    const { files, history, filesets } = test.registry
    const write = (path: string, text: string) => files.write("default", "rows", parseFilePath(path), bytesOf(text))
    await write("a", "one")
    await write("b", "two")
    test.clock.time += 5000
    await write("a", "three")
    await files.remove("default", "rows", parseFilePath("b"))
    const paths = () => Array.fromAsync(files.walk("default", "rows", {}), ({ path }) => path)
    expect(await paths()).toEqual(["a"])
    const inHistory = parseFilePath(`${HISTORY_FOLDER}/x`)
    await expect(files.read("default", "rows", inHistory)).rejects.toMatchObject({ code: "bad_path" })
    test.clock.time += 5000
    const { changes } = await history.list("default", "rows", { limit: 10 })
    await history.restore("default", "rows", { revision: changes[1]?.revision ?? "", isDryRun: false })
    expect(await paths()).toEqual(["a", "b"])
    expect(await textOf((await files.read("default", "rows", parseFilePath("a"))).bytes)).toBe("one")
    expect(test.store.objects().filter((key) => key.includes(HISTORY_FOLDER))).toHaveLength(3)
    await filesets.remove("default", "rows")
    await vi.waitFor(() => expect(test.store.objects().filter((key) => key.includes("rows"))).toEqual([]), 5000)
  })
})
