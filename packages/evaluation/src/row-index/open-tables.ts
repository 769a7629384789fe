import type { DescribedStats } from "../results/scores/build-result.ts"
import { rmSync } from "node:fs"
import { type DrawnRows, drawRows, type RowDraw } from "./labels/draw-rows.ts"
import { judgedScores, type JudgedScores } from "./labels/judged-scores.ts"
import type { TextMatches } from "./selection/match-rows.ts"
import { type JournalPiece, placedRows, rowsWith } from "./table/read-lines.ts"
import { type PairSelection, type SelectedPairs, selectPairs } from "./selection/compare-rows.ts"
import { type JournalPosition, type LinePlace, openRowTable, type RowTable } from "./table/row-table.ts"
import { placeOf, type RowSelection, type SelectedPage, selectRows } from "./selection/select-rows.ts"
import { summarizeRows, type SummaryConditions } from "./selection/summarize-rows.ts"

/** The tables of several jobs, each by its folder. Memory is bounded: those that were not used lately keep nothing in memory. */
export interface RowTables {
  /** The journal up to here is in the table. */
  position(folder: string): JournalPosition
  /** Adds the rows of a piece. The piece begins at the position of the table. */
  add(folder: string, piece: JournalPiece): void
  save(folder: string): void
  /** The journal up to here was searched for a text. */
  searched(folder: string, part: string): JournalPosition
  /** Searches the rows of a piece for a text in lower case. The piece begins where the last one ended. */
  search(folder: string, part: string, piece: JournalPiece): void
  /** @throws `invalid_request` for an unknown score */
  select(folder: string, selection: RowSelection, other?: string): SelectedPage
  /** Returns rows that both tables have. Filters are about the rows of `b`. @throws `invalid_request` for an unknown score */
  compare(a: string, b: string, selection: PairSelection): SelectedPairs
  /** Returns every repeat and attempt of a row, in the order of the journal. */
  find(folder: string, task: string, row: number): readonly LinePlace[]
  /** Returns where the rows that count are; undefined for a row that is not there. */
  locate(folder: string, rows: readonly RowKey[]): readonly (LinePlace | undefined)[]
  /** Draws rows for labelling. @throws `invalid_request` for an unknown score */
  draw(folder: string, draw: RowDraw): DrawnRows
  /** Returns the scores of a judge, with those of some digests one by one. @throws `invalid_request` for an unknown score */
  judged(folder: string, score: string, labels: ReadonlySet<number>): JudgedScores
  /** @throws `invalid_request` for an unknown score */
  summarize(folder: string, score: string, conditions: SummaryConditions): DescribedStats
  /** Removes a table. */
  remove(folder: string): void
  close(): void
}

export interface RowKey {
  readonly task: string
  readonly row: number
  readonly repeat: number
}

const MAX_OPEN = 8
const MAX_BYTES = 128 * 1024 * 1024
/** Searches that are kept for each table. Each takes a byte for each entry. */
const MAX_SEARCHES = 4

interface OpenTable {
  readonly table: RowTable
  /** By text, the newest last. */
  readonly searches: Map<string, TextSearch>
}

interface TextSearch {
  position: JournalPosition
  marks: Uint8Array
  entries: number
}

const START: JournalPosition = { record: 0, offset: 0 }

export function createRowTables(): RowTables {
  const open = new Map<string, OpenTable>()

  function use(folder: string): OpenTable {
    const known = open.get(folder)
    const used = known ?? { table: openRowTable(folder), searches: new Map() }
    // The most recently used is last.
    open.delete(folder)
    open.set(folder, used)
    if (known === undefined) closeOldest()
    return used
  }

  function closeOldest(): void {
    const [oldest] = open.keys()
    if (oldest === undefined || open.size <= MAX_OPEN) return
    open.get(oldest)?.table.close()
    open.delete(oldest)
  }

  function limitMemory(): void {
    let bytes = 0
    for (const { table } of [...open.values()].toReversed()) {
      bytes += table.size()
      if (bytes > MAX_BYTES) table.forget()
    }
  }

  function searchOf({ searches }: OpenTable, part: string): TextSearch {
    const search = searches.get(part) ?? { position: START, marks: new Uint8Array(1024), entries: 0 }
    searches.delete(part)
    searches.set(part, search)
    const [oldest] = searches.keys()
    if (oldest !== undefined && searches.size > MAX_SEARCHES) searches.delete(oldest)
    return search
  }

  return {
    position: (folder) => use(folder).table.position,
    add(folder, piece) {
      use(folder).table.add([...placedRows(piece)], endOf(piece))
    },
    save(folder) {
      use(folder).table.save()
      limitMemory()
    },
    searched: (folder, part) => searchOf(use(folder), part).position,
    search(folder, part, piece) {
      const search = searchOf(use(folder), part)
      for (const isFound of rowsWith(part, piece)) {
        if (search.entries === search.marks.length) search.marks = twice(search.marks)
        search.marks[search.entries++] = isFound ? 1 : 0
      }
      search.position = endOf(piece)
    },
    select(folder, selection, other) {
      const { table, searches } = use(folder)
      const page = selectRows(table, selection, marksOf(searches), other === undefined ? undefined : use(other).table)
      limitMemory()
      return page
    },
    compare(a, b, selection) {
      const before = use(a).table
      const { table, searches } = use(b)
      const pairs = selectPairs(before, table, selection, marksOf(searches))
      limitMemory()
      return pairs
    },
    find(folder, task, row) {
      const { table } = use(folder)
      const wanted = table.codes("task").find(task)
      const [tasks, rows] = [table.numbers("task"), table.numbers("row")]
      const places: LinePlace[] = []
      const { count } = table
      for (let entry = 0; entry < count; entry++) {
        if (rows[entry] === row && tasks[entry] === wanted) places.push(placeOf(table, entry))
      }
      return places
    },
    locate(folder, rows) {
      const { table } = use(folder)
      return rows.map(({ task, row, repeat }) => {
        const entry = table.find(task, row, repeat)
        return entry === undefined ? undefined : placeOf(table, entry)
      })
    },
    draw(folder, draw) {
      const drawn = drawRows(use(folder).table, draw)
      limitMemory()
      return drawn
    },
    judged(folder, score, labels) {
      const judged = judgedScores(use(folder).table, score, labels)
      limitMemory()
      return judged
    },
    summarize(folder, score, conditions) {
      const { table, searches } = use(folder)
      const stats = summarizeRows(table, score, conditions, marksOf(searches))
      limitMemory()
      return stats
    },
    remove(folder) {
      open.get(folder)?.table.close()
      open.delete(folder)
      rmSync(folder, { recursive: true, force: true })
    },
    close() {
      for (const { table } of open.values()) table.close()
      open.clear()
    },
  }
}

function twice(marks: Uint8Array): Uint8Array {
  const larger = new Uint8Array(marks.length * 2)
  larger.set(marks)
  return larger
}

function marksOf(searches: ReadonlyMap<string, TextSearch>): TextMatches {
  return new Map([...searches].map(([part, { marks }]) => [part, marks]))
}

function endOf({ record, offset, bytes }: JournalPiece): JournalPosition {
  return { record, offset: offset + bytes.byteLength }
}
