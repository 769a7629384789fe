import type { RecordOrder } from "@assay/database"
import type { PageMark } from "./page-queries.ts"

/** A mark and its position: the number of rows up to it, including its own. */
export interface CountedMark extends PageMark {
  readonly position: number
}

/** Rows of a listing without a mark among them. */
export interface Gap {
  /** The mark before the rows. Undefined: the rows are the first of the listing. */
  readonly start: CountedMark | undefined
  readonly rows: number
}

/** Some rows of a sorted listing at known positions, so that a page is found without skipping all rows before it. */
export interface OrderMarks {
  /** Returns the last mark before the row number `offset`, counted from 0. Undefined: there is none. */
  before(offset: number): CountedMark | undefined
  /** Adds marks between two known ones. They are sorted. */
  add(marks: readonly CountedMark[]): void
  /** Moves the marks after a row that was inserted into the listing. */
  insert(row: PageMark): void
  /** Returns the first gap with more rows than `rows` in a listing of `total` rows. */
  widerThan(rows: number, total: number): Gap | undefined
}

export function createOrderMarks({ direction }: Pick<RecordOrder, "direction">): OrderMarks {
  const positions: number[] = []
  const marks: PageMark[] = []

  /** Returns whether `a` comes before `b`. Names and ids are ASCII, so both databases compare them like this. */
  function isBefore(a: PageMark, b: PageMark): boolean {
    if (a.value !== b.value) return direction === "asc" ? a.value < b.value : a.value > b.value
    return a.id < b.id
  }

  /** Returns the number of marks at the beginning for which `isEarlier` holds. */
  function countWhile(isEarlier: (index: number) => boolean): number {
    let low = 0
    let high = positions.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (isEarlier(middle)) low = middle + 1
      else high = middle
    }
    return low
  }

  function markAt(index: number): CountedMark | undefined {
    const position = positions[index]
    const mark = marks[index]
    return position === undefined || mark === undefined ? undefined : { ...mark, position }
  }

  return {
    before: (offset) => markAt(countWhile((index) => (positions[index] ?? Infinity) <= offset) - 1),
    add(added) {
      const [first] = added
      if (first === undefined) return
      const at = countWhile((index) => (positions[index] ?? Infinity) < first.position)
      positions.splice(at, 0, ...added.map(({ position }) => position))
      marks.splice(at, 0, ...added.map(({ value, id }) => ({ value, id })))
    },
    insert(row) {
      const first = countWhile((index) => isBefore(marks[index] ?? row, row))
      for (let index = first; index < positions.length; index += 1) positions[index] = (positions[index] ?? 0) + 1
    },
    widerThan(rows, total) {
      for (let index = 0; index <= positions.length; index += 1) {
        const between = (positions[index] ?? total) - (positions[index - 1] ?? 0)
        if (between > rows) return { start: markAt(index - 1), rows: between }
      }
      return undefined
    },
  }
}
