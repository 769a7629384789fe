import { verifies, bytesOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { sql } from "kysely"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Database } from "@assay/database"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry } from "../../testing/test-registry.ts"

/** More than several groups of each table. */
const RECORDS = 2100

describe.each(DATABASE_KINDS)("the records of removed filesets on %s", (kind) => {
  let test: TestRegistry
  let tables: Database
  beforeEach(async () => {
    test = await createTestRegistry(kind)
    tables = await test.openTables()
  })
  afterEach(() => test.remove())

  /** Creates a fileset with records in all tables. */
  async function make(name: string): Promise<string> {
    const { id } = await test.registry.filesets.create("default", { name })
    const numbers = tables.dialect.jsonElements(JSON.stringify(Array.from({ length: RECORDS }, (_, index) => [index])))
    await tables.write(async (queries) => {
      for (const statement of [
        sql`insert into file_digests (fileset_id, path, size, mtime_ns, sha256)
          select ${id}, 'f' || (value->>0), 1, '1', 'a' from ${numbers} where true`,
        sql`insert into content_digests (fileset_id, path, version, sha256)
          select ${id}, 'f' || (value->>0), '1', 'a' from ${numbers} where true`,
        sql`insert into file_pieces (fileset_id, digest, seen_at, marks, files)
          select ${id}, 'd' || (value->>0), 1, ${new Uint8Array(1)}, ${new Uint8Array(1)} from ${numbers} where true`,
        sql`insert into file_trees (fileset_id, commit_id, seq, created_at, title, files)
          select ${id}, 'c' || (value->>0), 1, 1, '', ${new Uint8Array(1)} from ${numbers}
          where cast(value->>0 as integer) < 3`,
        sql`insert into file_piece_uses (fileset_id, commit_id, digest)
          select ${id}, 'c1', 'd' || (value->>0) from ${numbers} where true`,
      ])
        await statement.execute(queries)
    })
    return id
  }

  /** Returns the number of records of a fileset, without the note that they have to be deleted. */
  async function count(id: string): Promise<number> {
    const { rows } = await tables.read((queries) =>
      sql<{ total: number }>`select (select count(*) from file_digests where fileset_id = ${id})
        + (select count(*) from content_digests where fileset_id = ${id})
        + (select count(*) from file_pieces where fileset_id = ${id})
        + (select count(*) from file_piece_uses where fileset_id = ${id})
        + (select count(*) from file_trees where fileset_id = ${id}) as total`.execute(queries),
    )
    return rows[0]?.total ?? -1
  }

  const noted = () =>
    tables.read((queries) => queries.selectFrom("removed_fileset_records").select("fileset_id").execute())

  const ALL = 4 * RECORDS + 3

  it(
    "are deleted after the fileset is gone, and those of others stay",
    verifies("filesets.delete.in-groups"),
    async () => {
      const [id, other] = [await make("set"), await make("other")]
      await test.registry.filesets.remove("default", "set")
      await expect(test.registry.filesets.get("default", "set")).rejects.toMatchObject({ code: "not_found" })
      expect(await count(id)).toBeGreaterThan(0)
      await expect.poll(noted, { timeout: 20_000 }).toEqual([])
      expect([await count(id), await count(other)]).toEqual([0, ALL])
    },
  )

  it("are deleted by the next server if this one ends before", async () => {
    const id = await make("set")
    await test.registry.filesets.remove("default", "set")
    await test.registry.close()
    expect(await count(id)).toBeGreaterThan(0)
    expect(await noted()).toEqual([{ fileset_id: id }])
    expect(test.warnings).toEqual([])
    await test.openAnother()
    await expect.poll(noted, { timeout: 20_000 }).toEqual([])
    expect(await count(id)).toBe(0)
  })

  it("are deleted if a workspace is removed with its filesets", async () => {
    await test.registry.workspaces.create({ name: "short-lived" })
    await test.registry.filesets.create("short-lived", { name: "set" })
    await test.registry.files.write("short-lived", "set", parseFilePath("a"), bytesOf("x"))
    const { id } = await test.registry.filesets.get("short-lived", "set")
    expect(await count(id)).toBe(1)
    await test.registry.workspaces.remove("short-lived", { cascade: true })
    await expect.poll(() => count(id)).toBe(0)
  })

  it("leave no note if there are none", async () => {
    await test.registry.filesets.create("default", { name: "empty" })
    await test.registry.close()
    await tables.write((queries) => queries.deleteFrom("filesets").where("name", "=", "empty").execute())
    expect(await noted()).toEqual([])
  })

  it("cannot be added or replaced after the fileset is gone", async () => {
    const id = await make("set")
    await test.registry.close()
    await tables.write((queries) => queries.deleteFrom("filesets").where("id", "=", id).execute())
    const bytes = new Uint8Array(1)
    const attempts = [
      sql`insert into file_digests (fileset_id, path, size, mtime_ns, sha256) values (${id}, 'f1', 1, '1', 'b')
        on conflict (fileset_id, path, size, mtime_ns) do update set sha256 = excluded.sha256`,
      sql`insert into content_digests (fileset_id, path, version, sha256) values (${id}, 'new', '1', 'a')`,
      sql`insert into file_pieces (fileset_id, digest, seen_at, marks, files) values (${id}, 'd1', 1, ${bytes}, ${bytes})
        on conflict (fileset_id, digest) do update set seen_at = 2`,
      sql`insert into file_trees (fileset_id, commit_id, seq, created_at, title, files)
        values (${id}, 'c1', 1, 1, '', ${bytes}) on conflict (fileset_id, commit_id) do update set seq = 2`,
    ]
    for (const attempt of attempts) {
      const failure = await tables.write((queries) => attempt.execute(queries)).catch((error: unknown) => error)
      expect(tables.dialect.failureOf(failure)).toBe("missing_parent")
    }
    expect(await count(id)).toBe(ALL)
  })
})
