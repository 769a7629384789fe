import { createGrowingArray, type GrowingArray } from "./growing-array.ts"
import type { LabelledPrompt } from "../prompts/labelled-prompt.ts"

/** The label of each row and its groups. Memory: 5 bytes per row. */
export interface RowTally {
  add(row: LabelledPrompt): number
  readonly count: number
  isUnsafe(row: number): boolean
  readonly categories: RowGroups
  readonly languages: RowGroups
}

/** Group 0 holds the rows without a group name. */
export interface RowGroups {
  readonly names: readonly string[]
  of(row: number): number
}

/** Group numbers are stored in 16 bits. Rows of further groups count as rows without a group name. */
const MAX_GROUPS = 65_535

export function createRowTally(): RowTally {
  const unsafe = createGrowingArray((length) => new Uint8Array(length))
  const categories = createGroups()
  const languages = createGroups()
  let count = 0
  return {
    add(row) {
      unsafe.set(count, row.label === "unsafe" ? 1 : 0)
      categories.put(count, row.category)
      languages.put(count, row.language)
      return count++
    },
    get count() {
      return count
    },
    isUnsafe: (row) => unsafe.get(row) === 1,
    categories,
    languages,
  }
}

function createGroups(): RowGroups & { put(row: number, name: string | undefined): void } {
  const of: GrowingArray = createGrowingArray((length) => new Uint16Array(length))
  const places = new Map<string, number>()
  const names: string[] = [""]
  return {
    names,
    of: (row) => of.get(row),
    put(row, name) {
      if (name === undefined) return of.set(row, 0)
      let place = places.get(name)
      if (place === undefined && names.length < MAX_GROUPS) {
        place = names.push(name) - 1
        places.set(name, place)
      }
      of.set(row, place ?? 0)
    },
  }
}
