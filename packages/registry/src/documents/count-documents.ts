import { sql } from "kysely"
import type { Queries } from "../database/database.ts"
import { DOCUMENT_KINDS, type DocumentKind } from "./document-kind.ts"

/** How many documents of each kind a workspace holds. */
export async function countDocuments(queries: Queries, workspace: string): Promise<Record<DocumentKind, number>> {
  const rows = await queries
    .selectFrom("documents")
    .select(["kind", sql<number>`count(*)`.as("count")])
    .where("workspace", "=", workspace)
    .groupBy("kind")
    .execute()
  const kinds = Object.keys(DOCUMENT_KINDS) as DocumentKind[]
  const counted = kinds.map((kind) => [kind, rows.find((row) => row.kind === kind)?.count ?? 0])
  return Object.fromEntries(counted) as Record<DocumentKind, number>
}
