import { createGrowingArray, type GrowingArray } from "./growing-array.ts"
import type { LabelledPrompt } from "../prompts/labelled-prompt.ts"
import { createPromptCopies, type PromptCopies } from "../prompts/prompt-copies.ts"

/** The label of each row, its groups, and which rows repeat another. Memory: about 55 bytes per row. */
export interface RowTally {
  /** Adds a row behind all others and returns its number, from 0. */
  add(row: LabelledPrompt): number
  /** Adds the row with this number, for rows in any order or with gaps. An existing row is unchanged. */
  put(number: number, row: LabelledPrompt): void
  /** The number of rows. */
  readonly count: number
  /** One more than the highest number of a row. */
  readonly length: number
  isUnsafe(row: number): boolean
  /** Yields the number of the first row of each prompt with its label, in ascending order. A judge says nothing new about a copy, so rates count these rows. */
  distinct(): Iterable<number>
  readonly copies: Pick<PromptCopies, "count" | "withBothLabels">
  readonly categories: RowGroups
  readonly languages: RowGroups
}

/** Group 0 holds the rows without a group name. */
export interface RowGroups {
  readonly names: readonly string[]
  of(row: number): number
  /** Returns the groups that have a name, in the order of their first rows. */
  inOrder(): readonly number[]
}

/** Group numbers are stored in 16 bits. Rows of further groups count as rows without a group name. */
const MAX_GROUPS = 65_535

const SAFE = 1
const UNSAFE = 2

export function createRowTally(): RowTally {
  const labels = createGrowingArray((length) => new Uint8Array(length))
  const categories = createGroups()
  const languages = createGroups()
  const copies = createPromptCopies()
  let count = 0

  function put(number: number, row: LabelledPrompt): void {
    if (labels.get(number) !== 0) return
    labels.set(number, row.label === "unsafe" ? UNSAFE : SAFE)
    categories.put(number, row.category)
    languages.put(number, row.language)
    copies.add(number, row)
    count++
  }

  return {
    add(row) {
      const number = labels.length
      put(number, row)
      return number
    },
    put,
    get count() {
      return count
    },
    get length() {
      return labels.length
    },
    isUnsafe: (row) => labels.get(row) === UNSAFE,
    *distinct() {
      for (let row = 0; row < labels.length; row++) if (!copies.isCopy(row)) yield row
    },
    copies,
    categories,
    languages,
  }
}

function createGroups(): RowGroups & { put(row: number, name: string | undefined): void } {
  const of: GrowingArray = createGrowingArray((length) => new Uint16Array(length))
  const indexes = new Map<string, number>()
  const names: string[] = [""]
  /** The first row of each group. */
  const first: number[] = [0]
  return {
    names,
    of: (row) => of.get(row),
    inOrder() {
      const groups = Array.from({ length: names.length - 1 }, (_, index) => index + 1)
      return groups.toSorted((a, b) => (first[a] ?? 0) - (first[b] ?? 0))
    },
    put(row, name) {
      if (name === undefined) return of.set(row, 0)
      let index = indexes.get(name)
      if (index === undefined && names.length < MAX_GROUPS) {
        index = names.push(name) - 1
        indexes.set(name, index)
        first.push(row)
      } else if (index !== undefined) first[index] = Math.min(row, first[index] ?? row)
      of.set(row, index ?? 0)
    },
  }
}
