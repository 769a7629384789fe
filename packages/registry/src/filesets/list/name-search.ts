import type { Filter } from "@assay/schemas"
import { sql, type RawBuilder, type SqlBool } from "kysely"
import { slot, type Database } from "../../database/database.ts"
import { fold } from "../../filter/fold.ts"
import { FILESET_COLUMNS, type FilesetRow } from "../fileset-row.ts"
import type { KeptCounts, ListCounters } from "./list-counts.ts"
import { canBePart, createPackedNames, type NamedRow, type PackedNames } from "./packed-names.ts"
import type { PagePlan } from "./page-plan.ts"
import type { RememberedPage } from "./read-page.ts"

/** Reads a page of the filesets whose name contains a text. Undefined: the database has to search. */
type SearchNames = (plan: PagePlan) => Promise<RememberedPage | undefined>

/** Names of a moment. */
interface KnownNames {
  readonly names: PackedNames
  readonly counts: KeptCounts
}

/** Number of searches before all names are read, which costs as much as a few searches by the database. */
const SEARCHES = 8
const MAX_SEARCHES = 4096
/** Number of rows that are read in one turn of the event loop. */
const ROWS = 1000
/** Maximum number of rows with equal times around a page. */
const MAX_EQUAL = 500
/** Attempts to read rows that have not changed since they were found. */
const ATTEMPTS = 3

/**
 * Creates a search for names in memory, which is exact: the transaction that reads the rows of a page also reads the number of
 * changes. New filesets are added to the names. Any other change drops them.
 */
export function createNameSearch(database: Database, counters: ListCounters): SearchNames {
  const queries = namesQueries(database)
  let known: KnownNames | undefined
  let working: Promise<void> | undefined
  /** Number of filesets that are too many. */
  let tooMany = Infinity
  let [searches, required] = [0, SEARCHES]

  function drop(): void {
    // Names that change more often than they are searched are not worth reading.
    required = searches < SEARCHES ? Math.min(required * 2, MAX_SEARCHES) : SEARCHES
    searches = 0
    known = undefined
  }

  /** Reads the names after those that are known. */
  async function readNames(): Promise<void> {
    const names = known?.names ?? createPackedNames()
    let counts = known?.counts
    for (;;) {
      const [[now], rows] = await queries.names.run({ after: names.lastSeq(), rows: ROWS })
      if (now === undefined) return drop()
      names.add(rows)
      // Each new fileset changes both numbers by one, and no other change does.
      const isSame = counts === undefined || now.changes - counts.changes === now.total - counts.total
      if (names.isFull()) tooMany = names.count()
      if (!isSame || names.isFull()) return drop()
      counts ??= now
      if (rows.length < ROWS) {
        known = { names, counts: now }
        return
      }
      known = undefined
    }
  }

  /** Brings the names up to date. All names take many turns, during which the database searches. */
  async function refresh({ changes, total }: KeptCounts): Promise<void> {
    if (known?.counts.changes === changes) return
    const isNew = known === undefined
    if (isNew && (working !== undefined || searches < required || total >= tooMany)) return
    if (isNew) searches = 0
    working ??= readNames().finally(() => {
      working = undefined
    })
    if (isNew) working.catch(drop)
    else await working
  }

  return async (plan) => {
    const { scope, order } = plan.shape
    const part = partOf(plan.filter)
    if (part === undefined || scope.kind === "some" || order.column !== "created_at") return undefined
    const workspace = scope.kind === "one" ? scope.workspace : undefined
    searches += 1
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      await refresh(await counters.counts(undefined))
      if (known === undefined) return undefined
      const { changes } = known.counts
      const { offset, size } = plan
      const found = known.names.find({ part, workspace, direction: order.direction, offset, size })
      if (found.seqs.length > size + MAX_EQUAL) return undefined
      const [[now], rows] = await queries.page.run({ seqs: JSON.stringify(found.seqs), workspace: workspace ?? "" })
      if (now?.all !== changes) continue
      const page = inOrder(rows, order.direction).slice(found.skipped, found.skipped + size)
      return { rows: page, changes: now.changes, total: found.total, marks: new Map(), isStale: false }
    }
    return undefined
  }
}

/** Returns the text that a filter searches in names, if it does nothing else. */
function partOf(filter: Filter | undefined): string | undefined {
  if (filter?.kind !== "comparison" || filter.operator !== "$like" || filter.field.column !== "name") return undefined
  const texts = filter.operands.flatMap(({ readings }) => readings).filter((reading) => typeof reading === "string")
  const [part, ...others] = texts.map(fold)
  return part === undefined || others.length > 0 || !canBePart(part) ? undefined : part
}

function inOrder(rows: readonly FilesetRow[], direction: "asc" | "desc"): readonly FilesetRow[] {
  const sign = direction === "asc" ? 1 : -1
  return rows.toSorted((a, b) => sign * (a.created_at - b.created_at) || (a.id < b.id ? -1 : 1))
}

function namesQueries(database: Database) {
  const countOf = (column: "changes" | "total", workspace: RawBuilder<string> = sql<string>`''`) =>
    sql<number>`(select coalesce(sum(${sql.ref(column)}), 0) from fileset_counts where workspace = ${workspace})`
  return {
    names: database.prepareTogether<KeptCounts, NamedRow>((queries) => [
      queries.selectNoFrom([countOf("changes").as("changes"), countOf("total").as("total")]),
      queries
        .selectFrom("filesets")
        .select(["seq", "workspace", "name_folded", "created_at"])
        .where("seq", ">", slot<number>("after"))
        .orderBy("seq")
        .limit(sql<number>`cast(${slot<number>("rows")} as bigint)`),
    ]),
    page: database.prepareTogether<{ all: number; changes: number }, FilesetRow>((queries) => [
      queries.selectNoFrom([countOf("changes").as("all"), countOf("changes", slot<string>("workspace")).as("changes")]),
      queries
        .selectFrom("filesets")
        .select(FILESET_COLUMNS)
        .where(sql<SqlBool>`seq in (select value from ${database.dialect.jsonElements(slot<string>("seqs"))})`),
    ]),
  }
}
