import { open, readFile, rename, rm, stat, truncate, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { verifies, bytesOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { sql } from "kysely"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry, type Registry } from "../testing/test-registry.ts"
import type { Damage, FilesChecked } from "./integrity.ts"

/** Changes one byte and keeps size and time, as a failing disk does. */
async function flipByte(file: string, at = 0): Promise<void> {
  const { atime, mtime } = await stat(file)
  const handle = await open(file, "r+")
  const byte = Buffer.alloc(1)
  await handle.read(byte, 0, 1, at)
  await handle.write(Buffer.of((byte[0] ?? 0) ^ 1), 0, 1, at)
  await handle.close()
  await utimes(file, atime, mtime)
}

describe.each(DATABASE_KINDS)("the integrity check on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  let folder: string
  beforeEach(async () => {
    test = await createTestRegistry(kind)
    registry = test.registry
    folder = join(test.folder, "storage/filesets/default/rows")
    await registry.filesets.create("default", { name: "rows" })
    for (const name of ["a", "b/c", "b/d", "e"]) await write(name, `content of ${name}`)
  })
  afterEach(() => test.remove())

  const write = (path: string, text: string) =>
    registry.files.write("default", "rows", parseFilePath(path), bytesOf(text))

  async function check(one: Registry = registry): Promise<{ damage: Damage[]; checked: FilesChecked }> {
    const damage: Damage[] = []
    const checked = await one.integrity.checkFiles({
      onDamage: (found) => damage.push(found),
      signal: new AbortController().signal,
    })
    return { damage, checked }
  }

  it(
    "finds no damage in intact data, and counts files without a digest",
    verifies("operating.deep-check"),
    async () => {
      await writeFile(join(folder, "by-hand"), "put there by others")
      const totals: number[] = []
      const checked = await registry.integrity.checkFiles({
        onDamage: (found) => expect.fail(found.place),
        onProgress: ({ totalFiles }) => totals.push(totalFiles),
        signal: new AbortController().signal,
      })
      expect(checked).toMatchObject({ filesets: 1, files: 5, unverified: 1, cached: 0 })
      expect(new Set(totals)).toEqual(new Set([4]))
      expect(await registry.integrity.checkDatabase()).toEqual([])
    },
  )

  it(
    "reports each file that is missing, damaged, changed or cut short, and no other",
    verifies("operating.deep-check"),
    async () => {
      await writeFile(join(folder, "e"), "changed by hand")
      await truncate(join(folder, "b/c"), 3)
      await rm(join(folder, "b/d"))
      const { mtimeNs } = await stat(join(folder, "a"), { bigint: true })
      await flipByte(join(folder, "a"))
      const { damage } = await check()
      const kinds = damage.map(({ kind: found, place }) => `${place} ${found}`).toSorted()
      // The times of the file system can be finer than those of `utimes`. Then the time has changed too.
      const isSameTime = (await stat(join(folder, "a"), { bigint: true })).mtimeNs === mtimeNs
      expect(kinds).toEqual([
        `default/rows#a ${isSameTime ? "damaged" : "changed"}`,
        "default/rows#b/c changed",
        "default/rows#b/d missing",
        "default/rows#e changed",
      ])
      for (const { detail } of damage) expect(detail).toMatch(/again|restore/)
    },
  )

  it("finds bytes that changed under the same size and time", verifies("operating.deep-check"), async () => {
    const file = join(folder, "a")
    // A time that `utimes` can set exactly.
    const tables = await test.openTables()
    await utimes(file, 1_700_000_000, 1_700_000_000)
    await tables.write((queries) =>
      queries.updateTable("file_digests").set({ mtime_ns: "1700000000000000000" }).where("path", "=", "a").execute(),
    )
    expect((await check()).damage).toEqual([])
    await flipByte(file, 3)
    expect((await check()).damage).toEqual([
      expect.objectContaining({ kind: "damaged", place: "default/rows#a", detail: expect.stringContaining("SHA-256") }),
    ])
  })

  it(
    "covers files in a subfolder of a fileset, such as the results of a job",
    verifies("operating.deep-check"),
    async () => {
      const tables = await test.openTables()
      await tables.write((queries) => queries.updateTable("filesets").set({ subfolder: "attempt-1" }).execute())
      await write("results.json", "{}")
      expect((await check()).damage).toEqual([])
      await rm(join(folder, "attempt-1/results.json"))
      expect((await check()).damage).toEqual([
        expect.objectContaining({ kind: "missing", place: "default/rows#attempt-1/results.json" }),
      ])
    },
  )

  it("accepts a file with the recorded bytes and another time", async () => {
    await utimes(join(folder, "a"), 1, 1)
    expect((await check()).damage).toEqual([])
  })

  it(
    "runs beside a working server, without touching its work in progress",
    verifies("operating.deep-check"),
    async () => {
      // The check waits until a server has removed the digests of the files that it deleted.
      const sleep = (milliseconds: number, signal?: AbortSignal) => setTimeout(milliseconds, undefined, { signal })
      const guest = await test.openAnother({ guest: true, sleep })
      const stop = new AbortController()
      const writing = (async () => {
        for (let turn = 0; !stop.signal.aborted; turn++) {
          await write("b/c", `turn ${turn}`)
          await registry.files.remove("default", "rows", parseFilePath("b/d"))
          await write("b/d", `turn ${turn}`)
        }
      })()
      for (let turn = 0; turn < 5; turn++) expect((await check(guest)).damage).toEqual([])
      stop.abort()
      await writing
    },
  )

  it("finds wrong counts", verifies("operating.deep-check"), async () => {
    const tables = await test.openTables()
    await tables.write((queries) => sql`update fileset_counts set total = total + 3`.execute(queries))
    expect(await registry.integrity.checkDatabase()).toContainEqual(
      expect.stringMatching(/^The count of generic filesets on local in workspace 'default' is off by \d+\.$/),
    )
  })

  it("is refused for a database of another version and for a missing one", async () => {
    const tables = await test.openTables()
    await tables.write((queries) => sql`delete from kysely_migration where name like '0007%'`.execute(queries))
    await expect(test.openAnother({ guest: true })).rejects.toThrow(/another version of Assay/)
    if (kind === "postgres") return
    const file = join(test.folder, "nothing.db")
    await expect(test.openAnother({ guest: true, database: { kind, file } })).rejects.toMatchObject({
      code: "bad_settings",
    })
    await expect(stat(file)).rejects.toMatchObject({ code: "ENOENT" })
  })

  it.runIf(kind === "sqlite")("finds a damaged database file", verifies("operating.deep-check"), async () => {
    await registry.close()
    const file = join(test.folder, "registry.db")
    const bytes = await readFile(file)
    // The index of filesets by name no longer matches its table.
    const at = bytes.indexOf("defaultrows")
    expect(at).toBeGreaterThan(0)
    bytes.write("defaultsorw", at)
    await writeFile(`${file}.new`, bytes)
    await rename(`${file}.new`, file)
    const guest = await test.openAnother({ guest: true })
    expect((await guest.integrity.checkDatabase()).length).toBeGreaterThan(0)
  })
})
