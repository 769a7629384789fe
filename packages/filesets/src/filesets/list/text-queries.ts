import { sql, type RawBuilder, type SqlBool } from "kysely"
import { fillSlots, slot, type Database, type PreparedQuery, type Queries, type Select } from "@assay/database"
import { FILESET_COLUMNS, type FilesetRow } from "../fileset-row.ts"
import type { KeptCounts } from "./list-counts.ts"
import type { TextRow } from "./packed-texts.ts"
import { foldedText, type SoughtText } from "./sought-text.ts"

/** Maximum number of rows that a query on a scan thread reads, and a query on this thread. */
export const SCANNED_ROWS = 1000
export const NEW_ROWS = 200
/** Longer texts, and JSON that would take long to parse, are not read. */
const MAX_TEXT_BYTES = 16_384

export interface TextQueries {
  /** Reads the counts of all workspaces on a scan thread. */
  countsOn(thread: Queries): Promise<KeptCounts>
  /** Reads the texts of filesets with a larger `seq` on a scan thread. */
  rowsOn(thread: Queries, after: number): Promise<readonly TextRow[]>
  /** The same on this thread, with the counts of the same moment. */
  readonly after: PreparedQuery<readonly [readonly KeptCounts[], readonly TextRow[]]>
}

function countOf(column: "changes" | "total", workspace: RawBuilder<string> = sql<string>`''`) {
  return sql<number>`(select coalesce(sum(${sql.ref(column)}), 0) from fileset_counts where workspace = ${workspace})`
}

export function textQueries(database: Database, sought: SoughtText): TextQueries {
  const { source, text } = foldedText(sought, database.dialect)
  const isLong = sql<number>`(octet_length(${source}) > ${sql.lit(MAX_TEXT_BYTES)})`
  const counts = (queries: Queries): Select<KeptCounts> =>
    queries.selectNoFrom([countOf("changes").as("changes"), countOf("total").as("total")])
  const rows = (queries: Queries, limit: number): Select<TextRow> =>
    queries
      .selectFrom("filesets")
      .select(["seq", "workspace", "created_at", isLong.as("is_long")])
      .select(sql<string | null>`case when not ${isLong} then ${text} end`.as("text"))
      .where("seq", ">", slot<number>("after"))
      .orderBy("seq")
      .limit(sql.lit(limit))
  return {
    async countsOn(thread) {
      const found = await thread.executeQuery(counts(thread).compile())
      return found.rows[0] ?? { changes: 0, total: 0 }
    },
    rowsOn: async (thread, after) =>
      (await thread.executeQuery(fillSlots(rows(thread, SCANNED_ROWS).compile(), { after }))).rows,
    after: database.prepareTogether<KeptCounts, TextRow>((queries) => [counts(queries), rows(queries, NEW_ROWS)]),
  }
}

/** Returns the query for the filesets with some `seqs`, a JSON list, and the numbers of changes of that moment. */
export function pageOfSeqs(database: Database) {
  return database.prepareTogether<{ all: number; changes: number }, FilesetRow>((queries) => [
    queries.selectNoFrom([countOf("changes").as("all"), countOf("changes", slot<string>("workspace")).as("changes")]),
    queries
      .selectFrom("filesets")
      .select(FILESET_COLUMNS)
      .where(sql<SqlBool>`seq in (select value from ${database.dialect.jsonElements(slot<string>("seqs"))})`),
  ])
}
