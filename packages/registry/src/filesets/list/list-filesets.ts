import { formatFilter, paginate, type FilesetPage } from "@assay/schemas"
import { sql, type SqlBool } from "kysely"
import { slot, type Database } from "../../database/database.ts"
import type { RegistryContext } from "../../registry-context.ts"
import type { FilesetQuery } from "../../registry.ts"
import { filesetOf } from "../fileset-row.ts"
import { createListMemories, createPageMemory } from "./list-memory.ts"
import { planPage, type Scope } from "./page-plan.ts"
import { createReadPage, readRemembered } from "./read-page.ts"

type ListFilesets = (scope: Scope, query: FilesetQuery) => Promise<FilesetPage>

/**
 * Lists filesets in pages. Page and total are of the same moment. Totals and the first rows of pages are remembered while
 * no fileset in the scope changes, so that every page costs the same. Pages are remembered too, since most listings are
 * repeated. Each call asks the database whether something has changed.
 */
export function createListFilesets({ database, defaultStorage }: RegistryContext): ListFilesets {
  const memories = createListMemories()
  const pages = createPageMemory()
  const readPage = createReadPage(database)
  const readChanges = createReadChanges(database)

  async function readList(scope: Scope, query: FilesetQuery): Promise<{ page: FilesetPage; changes: number }> {
    const plan = await planPage(database, scope, query)
    const key = JSON.stringify([scope, query.filter])
    let memory = memories.get(key)
    let read = await readRemembered(readPage, plan, memory)
    if (read.isStale) read = await readRemembered(readPage, plan, undefined)

    const { rows, changes, total, marks } = read
    if (memory?.changes !== changes) memory = { changes, total, marks: new Map() }
    for (const [place, mark] of marks) memory.marks.set(place, mark)
    memories.set(key, memory)
    const page = {
      data: rows.map((row) => filesetOf(row, defaultStorage)),
      pagination: paginate(query.page, query.page_size, rows.length, total),
      sort: query.sort,
      ...(query.filter === undefined ? {} : { filter: formatFilter(query.filter) }),
    }
    return { page, changes }
  }

  return async (scope, query) => {
    // There is a count of changes for each workspace and for all of them, but not for a selection.
    if (scope.kind === "some") return (await readList(scope, query)).page
    const key = JSON.stringify([scope, query])
    if (pages.has(key)) {
      const known = pages.get(key, await readChanges(scope.kind === "one" ? scope.workspace : undefined))
      if (known !== undefined) return known
    }
    const { page, changes } = await readList(scope, query)
    pages.set(key, changes, Object.freeze(page))
    return page
  }
}

/** Returns how many changes the filesets of a workspace have had. Undefined: those of all workspaces. */
type ReadChanges = (workspace: string | undefined) => Promise<number>

/** The workspace of the rows in `fileset_counts` that count for all workspaces. */
const ALL = ""

function createReadChanges(database: Database): ReadChanges {
  const query = database.prepare<{ changes: number }>((queries) =>
    queries
      .selectFrom("fileset_counts")
      .select(sql<number>`coalesce(sum(changes), 0)`.as("changes"))
      .where(sql<SqlBool>`workspace = ${slot("workspace")}`),
  )
  return async (workspace = ALL) => {
    const [row] = await query.run({ workspace })
    return row?.changes ?? 0
  }
}
