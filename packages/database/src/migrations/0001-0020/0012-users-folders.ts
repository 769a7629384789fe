import { sql } from "kysely"
import type { Queries } from "../../database.ts"

/** Indexes the filesets in users' local folders, so that a start does not read all filesets to find them. */
export async function usersFolders(queries: Queries): Promise<void> {
  await sql`create index filesets_in_users_folders on filesets (id) where storage_type = 'local' and owns_bytes = 0`.execute(
    queries,
  )
}
