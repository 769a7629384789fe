import { LRUCache } from "lru-cache"
import type { Database } from "@assay/database"
import { prepareMarkQueries, type MarkQueries, type NewRow } from "./mark-queries.ts"
import { createOrderMarks, type OrderMarks, type CountedMark } from "./order-marks.ts"
import { FACETS, type PagePlan } from "./page-plan.ts"
import { createWorth } from "./worth.ts"

/** The marks of one listing. They are exact for the filesets that have had `changes` changes. */
interface KnownMarks {
  readonly marks: OrderMarks
  readonly changes: number
  /** Number of rows of the listing. */
  readonly total: number
  /** The `seq` of the newest fileset of the database, as far as it is known. */
  readonly newest: number
}

/** A mark before a page. It is exact for the filesets that have had `changes` changes. */
export interface FoundMark extends CountedMark {
  readonly changes: number
}

/** The marks of the listing of a plan. */
export interface ListingMarks {
  /** Returns the last mark before the row number `offset`. Sets marks first if none is near and that is worth it. */
  before(offset: number): Promise<FoundMark | undefined>
  /** Brings the marks up to date. New filesets move them, and any other change drops them. */
  refresh(): Promise<void>
}

export interface MarkSizes {
  /** Smallest number of rows from one mark to the next. Longer listings have longer ways. */
  readonly interval: number
  /** Number of rows that are read in one turn of the event loop. */
  readonly piece: number
}

const SIZES: MarkSizes = { interval: 128, piece: 4096 }
/** Maximum number of listings with marks, and about the maximum of marks of each, which take 100 bytes each. */
const LISTINGS = 16
const MARKS = 4096
/** Maximum number of new filesets that move marks. After more, the marks are set again. */
const NEWS = 1000
/** Attempts to read a piece while filesets change. */
const ATTEMPTS = 10

/**
 * Returns a function that finds the marks of listings without a filter, or with facets only. A database skips all rows before a
 * page, and with marks it skips only those after the last mark.
 */
export function createPageMarks(database: Database, sizes: MarkSizes = SIZES): (plan: PagePlan) => ListingMarks {
  const listings = new LRUCache<string, ListingMarks>({ max: LISTINGS })
  return (plan) => {
    const { scope, order } = plan.shape
    const facets = FACETS.map((facet) => plan.values[facet])
    const key = JSON.stringify([scope, order, facets])
    const known = listings.get(key)
    if (known !== undefined) return known
    const marks = createListingMarks(database, plan, sizes)
    listings.set(key, marks)
    return marks
  }
}

function createListingMarks(
  database: Database,
  plan: PagePlan,
  { interval: shortest, piece }: MarkSizes,
): ListingMarks {
  const { values, shape } = plan
  const worth = createWorth()
  let queries: MarkQueries | undefined
  let interval = shortest
  let known: KnownMarks | undefined
  let working: Promise<void> | undefined
  let refreshing: Promise<void> | undefined

  function drop(): void {
    if (known !== undefined) worth.drop()
    known = undefined
  }

  function queriesFor(total: number): MarkQueries {
    const wanted = Math.max(shortest, 2 ** Math.ceil(Math.log2(Math.max(1, total / MARKS))))
    if (queries === undefined || wanted !== interval) queries = prepareMarkQueries(database, plan, wanted)
    interval = wanted
    return queries
  }

  async function begin(): Promise<void> {
    worth.begin()
    const [[counts], [newest]] = await queriesFor(0).newest.run(values)
    const total = counts?.total ?? 0
    queriesFor(total)
    known = { marks: createOrderMarks(shape.order), changes: counts?.changes ?? 0, total, newest: newest?.seq ?? 0 }
  }

  /** Sets marks until no gap is wide. Each query reads one piece, so that other requests get their turn. */
  async function fill(): Promise<void> {
    if (known === undefined) await begin()
    let attempts = 0
    while (attempts < ATTEMPTS) {
      const step = await fillPiece()
      if (step === "done") return
      attempts = step === "filled" ? 0 : attempts + 1
    }
  }

  async function fillPiece(): Promise<"done" | "filled" | "changed"> {
    const before = known
    const gap = before?.marks.widerThan(2 * interval, before.total)
    if (before === undefined || gap === undefined) return "done"
    const { first, after } = queriesFor(before.total)
    const limit = Math.max(piece, interval)
    const { start } = gap
    const [[now], rows] = await (start === undefined
      ? first.run({ ...values, limit })
      : after.run({ ...values, value: start.value, id: start.id, limit }))
    if (known !== before || now?.changes !== before.changes) {
      await refresh()
      return "changed"
    }
    const position = start?.position ?? 0
    before.marks.add(rows.map(({ number, value, id }) => ({ value, id, position: position + number })))
    return rows.length === 0 ? "done" : "filled"
  }

  /** Sets marks if there are many rows after the last mark. Requests wait only if so many rows would keep others waiting. */
  async function approach(offset: number): Promise<void> {
    const position = known?.marks.before(offset)?.position ?? 0
    const distance = Math.min(offset, known?.total ?? offset) - position
    if (distance <= 4 * interval || (known === undefined && !worth.isReached())) return
    working ??= fill().finally(() => (working = undefined))
    if (distance > piece) await working
    else working.catch(drop)
  }

  async function readNews(before: KnownMarks): Promise<void> {
    const { news } = queriesFor(before.total)
    const [[now], rows] = await news.run({ ...values, offset: before.newest, limit: NEWS })
    if (known !== before || now?.changes === before.changes) return
    // Each new fileset is one change and one row. Any other change has no row.
    if (now === undefined || now.changes - before.changes !== rows.length) return drop()
    const added = rows.filter((row) =>
      FACETS.every((facet) => values[facet] === undefined || values[facet] === row[facet]),
    )
    for (const row of added) before.marks.insert(markOf(row))
    const newest = rows.at(-1)?.seq ?? before.newest
    known = { ...before, changes: now.changes, total: before.total + added.length, newest }
  }

  function markOf(row: NewRow) {
    return { value: row[shape.order.column], id: row.id }
  }

  async function refresh(): Promise<void> {
    if (known === undefined) return
    refreshing ??= readNews(known).finally(() => (refreshing = undefined))
    await refreshing
  }

  return {
    refresh,
    async before(offset) {
      worth.use()
      await approach(offset)
      const found = known?.marks.before(offset)
      return found === undefined || known === undefined ? undefined : { ...found, changes: known.changes }
    },
  }
}
