import { sql } from "kysely"
import type { Database } from "./database.ts"

/**
 * Returns how many connections a shared database allows to all servers together: `max_connections` without those that it
 * reserves for administrators. Undefined if the database belongs to one server.
 */
export async function readConnectionLimit(database: Database): Promise<number | undefined> {
  if (database.shared === undefined) return undefined
  // PostgreSQL has `reserved_connections` since version 16.
  const { rows } = await database.read((queries) =>
    sql<{ readonly allowed: number }>`select current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true), '0')::int as allowed`.execute(queries),
  )
  return rows[0]?.allowed
}
