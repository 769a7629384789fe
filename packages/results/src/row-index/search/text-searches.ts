import type { EvaluationRow } from "@assay/schemas"
import { endOf, isNext, type JournalPiece, type JournalPosition, START } from "../table/journal-position.ts"
import { readEachRow } from "../table/read-lines.ts"
import { type ItemValue, positionsOf, sizeOfValue, sortedValueOf, type SortedPart } from "./item-order.ts"
import { createRowFinder, type RowFinder, type WantedInRow } from "./row-finder.ts"

/** A number for a search that a request holds. */
export type SearchId = number

/** For each entry of a table, 1 if it contains all texts of a search. */
export type TextMarks = Uint8Array

/**
 * The searches of the rows of jobs for texts. A request holds its search from `begin` to `end`. Afterwards some are kept, so that the
 * next page of the same rows needs no other search. Each takes a byte for each entry.
 */
export interface TextSearches {
  /**
   * @param texts a row must contain all of them, and have these values
   * @param part what rows are sorted by. Default: nothing that is read here
   */
  begin(folder: string, texts: readonly WantedInRow[], part?: SortedPart): SearchId
  /** The journal up to here was searched. */
  position(search: SearchId): JournalPosition
  /** Searches the rows of a piece, which begins where the last one ended. */
  add(search: SearchId, piece: JournalPiece): void
  /** Returns a byte for each of the entries up to the position of the search. */
  marks(search: SearchId): TextMarks
  /** Returns the position of each of these entries in the order of the part. Undefined: the search has none. */
  positions(search: SearchId): Float64Array | undefined
  end(search: SearchId): void
  /** Forgets the searches of a folder whose rows are removed. Requests that hold one fail. */
  forget(folder: string): void
}

interface TextSearch {
  readonly folder: string
  readonly key: string
  readonly matches: RowFinder
  position: JournalPosition
  marks: Uint8Array
  entries: number
  readonly sorted: SortedValues | undefined
}

/** The values of the part by which rows are sorted, by entry. */
interface SortedValues {
  readonly part: SortedPart
  readonly values: ItemValue[]
  bytes: number
  /** The positions of all values. Absent until they are needed, and after each change. */
  positions?: Float64Array | undefined
}

function sizeOf({ marks, sorted }: TextSearch): number {
  return marks.byteLength + (sorted?.bytes ?? 0)
}

export interface KeptSearches {
  readonly count: number
  readonly bytes: number
}

export function createTextSearches({ count: maxCount, bytes: maxBytes }: KeptSearches): TextSearches {
  const held = new Map<SearchId, TextSearch>()
  /** The newest last. */
  const kept = new Map<string, TextSearch>()
  let nextId = 1

  function use(id: SearchId): TextSearch {
    const search = held.get(id)
    if (search === undefined) throw new Error(`The search ${id} is not held by a request.`)
    return search
  }

  function keep(search: TextSearch): void {
    kept.delete(search.key)
    kept.set(search.key, search)
    let bytes = kept.values().reduce((sum, one) => sum + sizeOf(one), 0)
    for (const [key, one] of kept) {
      if (kept.size <= maxCount && bytes <= maxBytes) break
      kept.delete(key)
      bytes -= sizeOf(one)
    }
  }

  return {
    begin(folder, texts, part) {
      const byKey = new Map(texts.map((text) => [JSON.stringify(Object.values(text)), text]))
      const key = JSON.stringify([folder, part ?? null, ...[...byKey.keys()].toSorted()])
      const known = kept.get(key)
      kept.delete(key)
      const sorted = part === undefined ? undefined : { part, values: [], bytes: 0 }
      const begun = { folder, key, matches: createRowFinder([...byKey.values()]), sorted }
      held.set(nextId, known ?? { ...begun, position: START, entries: 0, marks: new Uint8Array(1024) })
      return nextId++
    },
    position: (id) => use(id).position,
    add(id, piece) {
      const search = use(id)
      if (!isNext(search.position, piece)) throw new Error(`The search ${id} was given a piece that does not follow.`)
      readPiece(search, piece)
    },
    marks(id) {
      const { marks, entries } = use(id)
      return marks.subarray(0, entries)
    },
    positions(id) {
      const { sorted } = use(id)
      if (sorted === undefined) return undefined
      sorted.positions ??= positionsOf(sorted.values)
      return sorted.positions
    },
    end(id) {
      const search = held.get(id)
      held.delete(id)
      if (search !== undefined) keep(search)
    },
    forget(folder) {
      for (const [id, search] of held) if (search.folder === folder) held.delete(id)
      for (const [key, search] of kept) if (search.folder === folder) kept.delete(key)
    },
  }
}

function readPiece(search: TextSearch, piece: JournalPiece): void {
  const { sorted, matches } = search
  const read = (row: EvaluationRow) => {
    if (sorted !== undefined) addValue(sorted, sortedValueOf(row, sorted.part))
    return matches(row)
  }
  for (const isFound of readEachRow(read, piece)) {
    if (search.entries === search.marks.length) search.marks = twice(search.marks)
    search.marks[search.entries++] = isFound ? 1 : 0
  }
  search.position = endOf(piece)
}

function addValue(sorted: SortedValues, value: ItemValue): void {
  sorted.values.push(value)
  sorted.bytes += sizeOfValue(value) + Float64Array.BYTES_PER_ELEMENT
  sorted.positions = undefined
}

function twice(marks: Uint8Array): Uint8Array {
  const larger = new Uint8Array(marks.length * 2)
  larger.set(marks)
  return larger
}
