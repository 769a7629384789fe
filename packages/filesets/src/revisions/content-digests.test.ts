import type { FilePath } from "@assay/storage"
import { sql } from "kysely"
import { expect, it } from "vitest"
import { createBackground, type Database, type Queries } from "@assay/database"
import { createTestRegistry } from "../testing/test-registry.ts"
import { type ContentDigests, createContentDigests } from "./content-digests.ts"
import type { RevisionFile } from "./revision-file.ts"

const FILES = 5000

const sha256Of = (index: number) => index.toString(16).padStart(64, "0")
const fileAt = (index: number): RevisionFile => ({
  path: `folder-${index % 7}/file-${index}` as FilePath,
  size: 1,
  version: `v ${index}`,
  sha256: null,
})

async function readRows(queries: Queries): Promise<number> {
  const { rows } = await sql<{ readonly read: number }>`select
    cast(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as bigint) as read
    from pg_stat_xact_user_tables where relname like 'content_digests%'`.execute(queries)
  return rows[0]?.read ?? Number.NaN
}

/** Returns the result of `work`, and the number of rows with digests that PostgreSQL has read for it. */
async function countingRows<T>(database: Database, work: (digests: ContentDigests) => Promise<T>) {
  return database.write(async (queries) => {
    const background = createBackground({ warn: () => {} })
    const before = await readRows(queries)
    const found = await work(
      createContentDigests({ database: { ...database, read: (read) => read(queries) }, background }),
    )
    return { found, read: (await readRows(queries)) - before }
  })
}

it("Digests of some files are found without reading those of others, although PostgreSQL has not counted the files yet", async () => {
  await using resources = new AsyncDisposableStack()
  const test = await createTestRegistry("postgres")
  resources.defer(() => test.remove())
  const database = await test.openTables()
  const [first, second] = await Promise.all(
    ["first", "second"].map((name) => test.registry.filesets.create("default", { name })),
  )
  const addTo = (fileset_id: string) => {
    const digests = Array.from({ length: FILES }, (_, index) => [
      fileAt(index).path,
      fileAt(index).version,
      sha256Of(index),
    ])
    return database.write((queries) =>
      sql`insert into content_digests (fileset_id, path, version, sha256)
        select ${fileset_id}, value->>0, value->>1, value->>2
        from ${database.dialect.jsonElements(JSON.stringify(digests))}`.execute(queries),
    )
  }
  await addTo(first?.id ?? "")
  await database.write((queries) => sql`analyze content_digests`.execute(queries))
  await addTo(second?.id ?? "")

  const asked = Array.from({ length: 20 }, (_, index) => fileAt(index * 300))
  const known = await countingRows(database, (digests) => digests.known(second?.id ?? "", asked))
  const there = asked.slice(0, 17)
  expect(known.found).toEqual(new Map(there.map(({ path }, index) => [path, sha256Of(index * 300)])))
  expect(known.read).toBe(there.length)

  const contents = await countingRows(database, (digests) => digests.find(second?.id ?? "", [sha256Of(3)]))
  expect(contents.found).toEqual([{ path: fileAt(3).path, version: "v 3", sha256: sha256Of(3) }])
  // Also that of the other fileset.
  expect(contents.read).toBe(2)
})
