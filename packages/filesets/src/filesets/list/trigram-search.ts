import { LRUCache } from "lru-cache"
import type { Database } from "@assay/database"
import type { FilesetRow } from "../fileset-row.ts"
import type { KeptCounts, ListCounters } from "./list-counts.ts"
import { createPackedTexts, type PackedTexts } from "./packed-texts.ts"
import type { PagePlan } from "./page-plan.ts"
import type { RememberedPage } from "./read-page.ts"
import { keyOf, soughtIn, type SoughtText } from "./sought-text.ts"
import { NEW_ROWS, pageOfSeqs, SCANNED_ROWS, textQueries } from "./text-queries.ts"
import { createWorth } from "./worth.ts"

/** Reads a page of the filesets of which one text contains another one. Undefined: the database has to search. */
type SearchTexts = (plan: PagePlan) => Promise<RememberedPage | undefined>

/** Texts of a moment. */
interface KnownTexts {
  readonly texts: PackedTexts
  readonly counts: KeptCounts
}

/** The texts of one column or custom field. */
interface SearchedTexts {
  /** Brings the texts up to date with these counts, and returns them. Undefined: the database has to search. */
  upTo(counts: KeptCounts): Promise<KnownTexts | undefined>
  use(): void
}

/** Maximum number of columns and custom fields whose texts are in memory. */
const MAX_TEXTS = 4
/** Maximum number of rows with equal times around a page. */
const MAX_EQUAL = 500
/** Attempts to read rows that have not changed since they were found. */
const ATTEMPTS = 3

/**
 * Creates a search for texts in memory, which is exact: the transaction that reads the rows of a page also reads the number of
 * changes.
 */
export function createTextSearch(
  database: Database,
  scan: NonNullable<Database["scan"]>,
  counters: ListCounters,
): SearchTexts {
  const readRows = pageOfSeqs(database)
  const searched = new LRUCache<string, SearchedTexts>({ max: MAX_TEXTS })

  function textsOf(sought: SoughtText): SearchedTexts {
    const key = keyOf(sought)
    const known = searched.get(key)
    if (known !== undefined) return known
    const texts = createSearchedTexts(database, scan, sought)
    searched.set(key, texts)
    return texts
  }

  return async (plan) => {
    const { scope, order } = plan.shape
    const sought = soughtIn(plan.filter)
    if (sought === undefined || scope.kind === "some" || order.column !== "created_at") return undefined
    const workspace = scope.kind === "one" ? scope.workspace : undefined
    const { part } = sought
    const searchedTexts = textsOf(sought)
    searchedTexts.use()
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const known = await searchedTexts.upTo(await counters.counts(undefined))
      if (known === undefined) return undefined
      const { changes } = known.counts
      const { offset, size } = plan
      const found = known.texts.find({ part, workspace, direction: order.direction, offset, size })
      if (found.seqs.length > size + MAX_EQUAL) return undefined
      const [[now], rows] = await readRows.run({ seqs: JSON.stringify(found.seqs), workspace: workspace ?? "" })
      if (now?.all !== changes) continue
      const page = inOrder(rows, order.direction).slice(found.skipped, found.skipped + size)
      return { rows: page, changes: now.changes, total: found.total, marks: new Map(), isStale: false }
    }
    return undefined
  }
}

/** Creates the searched texts. New filesets are added to them, and any other change drops them. */
function createSearchedTexts(
  database: Database,
  scan: NonNullable<Database["scan"]>,
  sought: SoughtText,
): SearchedTexts {
  const queries = textQueries(database, sought)
  const worth = createWorth()
  let known: KnownTexts | undefined
  let working: Promise<void> | undefined
  /** Number of filesets that are too many. */
  let tooMany = Infinity

  function drop(): void {
    worth.drop()
    known = undefined
  }

  /** Reads all texts of one moment on another thread. Meanwhile the database searches. */
  async function readAll(): Promise<void> {
    worth.begin()
    const texts = createPackedTexts()
    const counts = await scan(async (thread) => {
      const now = await queries.countsOn(thread)
      for (let rows = SCANNED_ROWS; rows === SCANNED_ROWS && !texts.isFull();) {
        const read = await queries.rowsOn(thread, texts.lastSeq())
        texts.add(read)
        rows = read.length
      }
      return now
    })
    if (texts.isFull()) tooMany = texts.count()
    else known = { texts, counts }
  }

  /** Reads the texts of new filesets. Each changes both numbers by one, and no other change does. */
  async function readNew({ texts, counts }: KnownTexts): Promise<void> {
    const [[now], rows] = await queries.after.run({ after: texts.lastSeq() })
    if (now === undefined || rows.length === NEW_ROWS) return drop()
    texts.add(rows)
    if (texts.isFull()) tooMany = texts.count()
    const isSame = now.changes - counts.changes === now.total - counts.total
    if (!isSame || texts.isFull()) return drop()
    known = { texts, counts: now }
  }

  function work(reading: Promise<void>): Promise<void> {
    working = reading.finally(() => (working = undefined))
    return working
  }

  return {
    use: () => worth.use(),
    async upTo({ changes, total }) {
      if (known?.counts.changes === changes) return known
      if (known !== undefined) await (working ?? work(readNew(known)))
      else if (working === undefined && worth.isReached() && total < tooMany) work(readAll()).catch(drop)
      return known
    },
  }
}

function inOrder(rows: readonly FilesetRow[], direction: "asc" | "desc"): readonly FilesetRow[] {
  const sign = direction === "asc" ? 1 : -1
  return rows.toSorted((a, b) => sign * (a.created_at - b.created_at) || (a.id < b.id ? -1 : 1))
}
