import { rmSync } from "node:fs"
import { isAssayError } from "@assay/schemas"
import type { DescribedStats } from "../scores/build-result.ts"
import { type DrawnRows, drawRows, type RowDraw } from "./labels/draw-rows.ts"
import { type IssuedDraw, issuedProbabilities } from "./labels/draw-probability.ts"
import { judgedScores, type JudgedScores, type LabelledDigests } from "./labels/judged-scores.ts"
import { createTextSearches, type SearchId, type TextSearches } from "./search/text-searches.ts"
import { type PairSelection, type SelectedPairs, selectPairs } from "./selection/compare-rows.ts"
import type { RowConditions } from "./selection/match-rows.ts"
import { rangeOf, type RowSelection, type SelectedPage, selectRows } from "./selection/select-rows.ts"
import { summarizeRows, type SummaryConditions } from "./selection/summarize-rows.ts"
import {
  endOf,
  isBefore,
  isNext,
  type JournalPiece,
  type JournalPosition,
  type JournalTail,
  tailOf,
} from "./table/journal-position.ts"
import { locatedRows } from "./table/read-lines.ts"
import { createLimitedTables, type LimitedTables, saveTable, type TablesLimits } from "./table/limited-tables.ts"
import type { LineRange, RowTable } from "./table/row-table.ts"
import { removeSaved } from "./table/saved-table.ts"

/**
 * The tables of several jobs, each by its folder. Memory is bounded: those that were not used lately keep nothing in memory. A search for
 * texts belongs to a request from `begin` to `end`. Operations with a search return undefined if the table has rows that it has not read.
 */
export interface RowTables {
  /** The journal up to here is in the table. */
  position(folder: string): JournalPosition
  /**
   * Returns what the journal must have before the position, if that was not checked since the table was opened. The journal is another one if
   * a power failure took lines that the table has, or if it began again.
   */
  unproven(folder: string): JournalTail | undefined
  /** Takes the table for that of its journal, or empties it. */
  prove(folder: string, isSame: boolean): void
  /** Adds the rows of a piece. The piece begins at the position of the table. */
  add(folder: string, piece: JournalPiece): void
  save(folder: string): void
  beginSearch: TextSearches["begin"]
  searched: TextSearches["position"]
  search: TextSearches["add"]
  endSearch: TextSearches["end"]
  /** @throws `invalid_request` for an unknown score */
  select(folder: string, selection: RowSelection, beside?: Beside): SelectedPage | undefined
  /** Returns rows that both tables have. Filters and texts are about the rows of `b`. @throws `invalid_request` for an unknown score */
  compare(a: string, b: string, selection: PairSelection, search?: SearchId): SelectedPairs | undefined
  /** Returns every repeat and attempt of a row, in the order of the journal. */
  find(folder: string, task: string, row: number): readonly LineRange[]
  /** Returns where the rows that count are; undefined for a row that is not there. */
  locate(folder: string, rows: readonly RowKey[]): readonly (LineRange | undefined)[]
  /** Draws rows for labelling. @throws `invalid_request` for an unknown score */
  draw(folder: string, draw: RowDraw): DrawnRows
  /** Returns how likely rows are drawn. @throws `invalid_request` for an unknown score */
  issued(folder: string, draw: IssuedDraw): readonly (number | undefined)[]
  /** Returns the scores of a judge, with those of some digests one by one. @throws `invalid_request` for an unknown score */
  judged(folder: string, score: string, labels: LabelledDigests): JudgedScores
  /** @throws `invalid_request` for an unknown score */
  summarize(folder: string, score: string, conditions: SummaryConditions, search?: SearchId): DescribedStats | undefined
  /** Removes a table. */
  remove(folder: string): void
  close(): void
}

/** The inputs of a selection of rows, besides their table. */
export interface Beside {
  /** The table of another job. */
  readonly other?: string | undefined
  readonly search?: SearchId | undefined
}

export interface RowKey {
  readonly task: string
  readonly row: number
  readonly repeat: number
}

/** Limits of the memory that is used between requests. */
export interface RowTablesLimits extends TablesLimits {
  readonly searches: number
  /** Bytes of all searches that are kept. */
  readonly searchBytes: number
}

const MEBIBYTE = 1024 * 1024
const LIMITS: RowTablesLimits = { tables: 8, bytes: 128 * MEBIBYTE, searches: 32, searchBytes: 32 * MEBIBYTE }

export function createRowTables(limits: RowTablesLimits = LIMITS): RowTables {
  const tables = createLimitedTables(limits)
  const { use, within } = tables
  const searches = createTextSearches({ count: limits.searches, bytes: limits.searchBytes })

  function forget(folder: string): void {
    tables.drop(folder)
    searches.forget(folder)
  }

  return {
    position: (folder) => within(() => use(folder).table.position),
    unproven(folder) {
      const { table, isProven } = within(() => use(folder))
      return isProven ? undefined : table.tail
    },
    prove(folder, isSame) {
      if (isSame) use(folder).isProven = true
      else {
        forget(folder)
        removeSaved(folder)
      }
    },
    add: (folder, piece) => within(() => addPiece(tables, folder, piece)),
    save: (folder) => within(() => saveTable(use(folder))),
    beginSearch: (folder, texts, part) => searches.begin(folder, texts, part),
    searched: (search) => searches.position(search),
    search: (search, piece) => searches.add(search, piece),
    endSearch: (search) => searches.end(search),
    select: (folder, selection, { other, search } = {}) =>
      within(() => {
        const { table } = use(folder)
        const wanted = withTexts(searches, table, selection, search)
        if (wanted === undefined) return undefined
        const itemOrder = search === undefined ? undefined : searches.positions(search)
        return selectRows(table, { ...wanted, itemOrder }, other === undefined ? undefined : use(other).table)
      }),
    compare: (a, b, selection, search) =>
      within(() => {
        const { table } = use(b)
        const wanted = withTexts(searches, table, selection, search)
        return wanted === undefined ? undefined : selectPairs(use(a).table, table, wanted)
      }),
    find: (folder, task, row) => within(() => findAttempts(use(folder).table, task, row)),
    locate: (folder, rows) => within(() => locateRows(use(folder).table, rows)),
    draw: (folder, draw) => within(() => drawRows(use(folder).table, draw)),
    issued: (folder, draw) => within(() => issuedProbabilities(use(folder).table, draw)),
    judged: (folder, score, labels) => within(() => judgedScores(use(folder).table, score, labels)),
    summarize: (folder, score, conditions, search) =>
      within(() => {
        const { table } = use(folder)
        const wanted = withTexts(searches, table, conditions, search)
        return wanted === undefined ? undefined : summarizeRows(table, score, wanted)
      }),
    remove(folder) {
      forget(folder)
      rmSync(folder, { recursive: true, force: true })
    },
    close: () => tables.close(),
  }
}

function addPiece(tables: LimitedTables, folder: string, piece: JournalPiece): void {
  const used = tables.use(folder)
  if (!isNext(used.table.position, piece))
    throw new Error(`The index in ${folder} was given a piece that does not follow.`)
  used.hasUnsaved = true
  try {
    used.table.add([...locatedRows(piece)], endOf(piece), tailOf(piece))
  } catch (error) {
    // The disk has failed, and only some columns have the rows.
    if (!isAssayError(error)) tables.drop(folder)
    throw error
  }
}

/** Adds the marks of a search to conditions. Returns undefined if the search has not read all rows of the table. */
function withTexts<T extends RowConditions>(
  searches: TextSearches,
  table: RowTable,
  conditions: T,
  search: SearchId | undefined,
): T | undefined {
  if (search === undefined) return conditions
  return isBefore(searches.position(search), table.position)
    ? undefined
    : { ...conditions, texts: searches.marks(search) }
}

/** Returns where the rows that count are; undefined for a row that is not there. */
function locateRows(table: RowTable, rows: readonly RowKey[]): readonly (LineRange | undefined)[] {
  return rows.map(({ task, row, repeat }) => {
    const entry = table.find(task, row, repeat)
    return entry === undefined ? undefined : rangeOf(table, entry)
  })
}

/** Returns every repeat and attempt of a row, in the order of the journal. */
function findAttempts(table: RowTable, task: string, row: number): readonly LineRange[] {
  const wanted = table.codes("task").find(task)
  const tasks = table.numbers("task")
  const rows = table.numbers("row")
  const ranges: LineRange[] = []
  const { count } = table
  for (let entry = 0; entry < count; entry++) {
    if (rows[entry] === row && tasks[entry] === wanted) ranges.push(rangeOf(table, entry))
  }
  return ranges
}
