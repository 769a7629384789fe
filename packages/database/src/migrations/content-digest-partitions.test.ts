import { createDatabase } from "@assay/testkit"
import { sql } from "kysely"
import { Pool } from "pg"
import { expect, inject, it, onTestFinished } from "vitest"
import { POSTGRES_DIALECT } from "../postgres/dialect.ts"
import { postgresKysely } from "../postgres/kysely.ts"
import { migrate } from "./migrate.ts"

it("the digests of contents are in partitions after the migration, all rows and rules of before included", async () => {
  const pool = new Pool({ connectionString: await createDatabase(inject("postgresUrl")), max: 1 })
  const queries = postgresKysely(pool, "set local lock_timeout = 0")
  onTestFinished(() => queries.destroy())
  const read = () => sql`select path, version, sha256 from content_digests order by path`.execute(queries)
  await migrate(queries, POSTGRES_DIALECT, "0020-file-pieces")
  await sql`insert into workspaces values ('w', '', 0, 0, 'w')`.execute(queries)
  await sql`insert into filesets (name, description, created_at, updated_at, workspace, id, purpose, storage_type, storage,
      metadata, custom_fields, project, owns_bytes, name_folded, description_folded, project_folded)
    values ('f', '', 0, 0, 'w', 'f', 'generic', 'local', '{}', '{}', '{}', '', 1, 'f', '', '')`.execute(queries)
  await sql`insert into content_digests select 'f', 'p' || n, 'v', 's' || n from generate_series(1, 500) n`.execute(
    queries,
  )
  const before = await read()
  expect(before.rows).toHaveLength(500)
  await migrate(queries, POSTGRES_DIALECT, "0021-content-digest-partitions")
  expect((await read()).rows).toEqual(before.rows)
  const partitions = await sql`select tableoid, count(*) from content_digests group by 1`.execute(queries)
  expect(partitions.rows).toHaveLength(16)
  // The statement of the version before.
  await sql`insert into content_digests values ('f', 'p1', 'new', 's') on conflict (fileset_id, path)
    do update set version = excluded.version`.execute(queries)
  expect((await read()).rows[0]).toMatchObject({ path: "p1", version: "new" })
  await sql`delete from filesets`.execute(queries)
  expect((await read()).rows).toEqual([])
})
