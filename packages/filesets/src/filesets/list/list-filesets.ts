import { type Fileset, type FilesetPage, formatFilter, paginate } from "@assay/schemas"
import type { Database } from "@assay/database"
import type { FilesetsContext } from "../../filesets-context.ts"
import type { FilesetQuery } from "../filesets.ts"
import { filesetOf } from "../fileset-row.ts"
import { createReadCounted } from "./counted-page.ts"
import { createListCounters } from "./list-counts.ts"
import { createListMemories, createMarks, createPageMemory, type ListMemory } from "./list-memory.ts"
import { planPage, type PagePlan, type Scope } from "./page-plan.ts"
import {
  createReadPage,
  readRemembered,
  type CountedRows,
  type ReadPage as ReadRows,
  type RememberedPage,
} from "./read-page.ts"
import { scanPage, sourceOfAll } from "./scan/scan-page.ts"
import { createTextSearch } from "./trigram-search.ts"

interface ReadPage {
  readonly page: FilesetPage
  /** How many changes the filesets in its scope had had. The number only grows. */
  readonly changes: number
}

type ListFilesets = (scope: Scope, query: FilesetQuery) => Promise<FilesetPage>

/**
 * Lists filesets in pages. Page and total are of the same moment. Totals and the first rows of pages are remembered while
 * no fileset in the scope changes, so that every page costs the same. Pages are remembered too, since most listings are
 * repeated. Each call asks the database whether something has changed.
 */
export function createListFilesets({
  database,
  defaultStorage,
}: Pick<FilesetsContext, "database" | "defaultStorage">): ListFilesets {
  const memories = createListMemories()
  const pages = createPageMemory()
  const readPages = createReadPage(database)
  const readCounted = createReadCounted(database, readPages)
  const read = createRead(database, readPages)
  const counters = createListCounters(database)
  /** The pages that are being read. */
  const reading = new Map<string, Promise<ReadPage>>()

  async function readWithMemory(plan: PagePlan): Promise<CountedRows> {
    const key = JSON.stringify([plan.shape.scope, plan.shape.facets, plan.values, plan.filter])
    let memory = memories.get(key)
    let found = await read(plan, memory)
    if (found.isStale) found = await read(plan, undefined)

    const { changes, total, marks } = found
    if (memory?.changes !== changes) memory = { changes, total, marks: createMarks() }
    for (const [position, mark] of marks) memory.marks.set(position, mark)
    memories.set(key, memory)
    return found
  }

  async function readList(scope: Scope, query: FilesetQuery): Promise<ReadPage> {
    const plan = planPage(database.dialect, scope, query)
    const hasMarks = plan.isCounted && scope.kind !== "some"
    const { rows, changes, total } = await (hasMarks ? readCounted(plan) : readWithMemory(plan))
    const data = rows.map((row) => filesetOf(row, defaultStorage))
    return { page: pageOf(query, data, total), changes }
  }

  async function keepPage(key: string, scope: Scope, query: FilesetQuery): Promise<ReadPage> {
    try {
      const found = await readList(scope, query)
      pages.set(key, found.changes, found.page)
      return found
    } finally {
      reading.delete(key)
    }
  }

  /** Reads a page, or waits for the same read of another request, which may have begun earlier. */
  function readPage(key: string, scope: Scope, query: FilesetQuery): Promise<ReadPage> {
    const running = reading.get(key) ?? keepPage(key, scope, query)
    reading.set(key, running)
    return running
  }

  return async (scope, query) => {
    // There is a count of changes for each workspace and for all of them, but not for a selection.
    if (scope.kind === "some") return (await readList(scope, query)).page
    const key = JSON.stringify([scope, query])
    if (!pages.has(key) && !reading.has(key)) return (await readPage(key, scope, query)).page
    const { changes } = await counters.counts(scope.kind === "one" ? scope.workspace : undefined)
    for (;;) {
      const known = pages.get(key, changes)
      if (known !== undefined) return known
      // A read that began before the last change may not contain it.
      const found = await readPage(key, scope, query)
      if (found.changes >= changes) return found.page
    }
  }
}

function pageOf(query: FilesetQuery, data: Fileset[], total: number): ReadPage["page"] {
  return {
    data,
    pagination: paginate(query.page, query.page_size, data.length, total),
    sort: query.sort,
    ...(query.filter === undefined ? {} : { filter: formatFilter(query.filter) }),
  }
}

type Read = (plan: PagePlan, memory: ListMemory | undefined) => Promise<RememberedPage>

/**
 * The largest number of filesets for which this thread uses the search index, and the largest that it searches one by one.
 * Both take about a millisecond. With more, another thread does it.
 */
const MAX_INDEXED = 20_000
const MAX_SEARCHED = 2000

function createRead(database: Database, readPage: ReadRows): Read {
  const { dialect, scan } = database
  const counters = createListCounters(database)
  const searchTexts = scan && createTextSearch(database, scan, counters)

  return async (plan, memory) => {
    const { filter } = plan
    const { scope } = plan.shape
    const inOrder = { candidates: undefined, source: "order", counted: "order" } as const
    if (filter === undefined || scan === undefined || searchTexts === undefined)
      return readRemembered(readPage, { plan, sources: inOrder }, memory)
    const found = await searchTexts(plan)
    if (found !== undefined) return found
    const size = await counters.size(scope)
    const scanned = () => scanPage({ scan, dialect, size }, plan, memory)
    if (size.inDatabase > MAX_INDEXED) return scanned()
    const candidates = await database.read((queries) => dialect.candidates(queries, filter))
    if (candidates?.areFew === true) {
      const sources = { candidates, source: "candidates", counted: "candidates" } as const
      return readRemembered(readPage, { plan, sources }, memory)
    }
    if (size.inDatabase > MAX_SEARCHED) return scanned()
    return readRemembered(readPage, { plan, sources: { ...inOrder, counted: sourceOfAll(size) } }, memory)
  }
}
