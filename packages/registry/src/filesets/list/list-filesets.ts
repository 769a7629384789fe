import { formatFilter, paginate, type FilesetPage } from "@assay/schemas"
import type { RegistryContext } from "../../registry-context.ts"
import type { FilesetQuery } from "../../registry.ts"
import { filesetOf } from "../fileset-row.ts"
import { createListMemories } from "./list-memory.ts"
import { planPage } from "./plan-page.ts"
import { createReadPage } from "./read-page.ts"
import { readRemembered } from "./read-remembered.ts"
import type { Scope } from "./scope.ts"

export type ListFilesets = (scope: Scope, query: FilesetQuery) => Promise<FilesetPage>

/**
 * Pages of filesets. Page and total are of one moment. What had to be counted, and where pages begin, is remembered for
 * as long as no fileset in the scope changes, so that to read on costs the same on every page.
 */
export function createListFilesets({ database, defaultStorage }: RegistryContext): ListFilesets {
  const memories = createListMemories()
  const readPage = createReadPage(database)

  return async (scope, query) => {
    const plan = await planPage(database, scope, query)
    const key = JSON.stringify([scope, query.filter])
    let memory = memories.get(key)
    let page = await readRemembered(readPage, plan, memory)
    if (page.isStale) page = await readRemembered(readPage, plan, undefined)

    const { rows, changes, total, marks } = page
    if (memory?.changes !== changes) memory = { changes, total, marks: new Map() }
    for (const [place, mark] of marks) memory.marks.set(place, mark)
    memories.set(key, memory)
    return {
      data: rows.map((row) => filesetOf(row, defaultStorage)),
      pagination: paginate(query.page, query.page_size, rows.length, total),
      sort: query.sort,
      ...(query.filter === undefined ? {} : { filter: formatFilter(query.filter) }),
    }
  }
}
