import { nearestNumber } from "@assay/json"
import { AssayError } from "@assay/schemas"
import { isNothing, valueOf } from "./where.ts"
import { tokenize } from "./where-tokens.ts"

/** Texts are ordered by their beginnings, so that the keys of a large order stay small. */
const MAX_KEY_CHARACTERS = 1000
/** Maximum number of rows up to the end of a page that is ordered. */
export const MAX_ORDERED = 10_000

type Key = string | number | boolean | null

interface Ordered {
  readonly key: Key
  readonly index: number
}

/** The first rows of an order. */
export interface FirstOrdered {
  readonly add: (row: unknown, index: number) => void
  /** Returns the indexes of the rows, in order. */
  readonly indexes: () => readonly number[]
}

/** Parses `"column"`, `"column" ASC` or `"column" DESC`. @throws `bad_filter` */
export function parseOrderBy(text: string): { readonly column: string; readonly isDescending: boolean } {
  const [column, direction, ...rest] = tokenize(text, "orderby")
  const word = direction?.text.toUpperCase() ?? "ASC"
  const isName = column?.kind === "column" || column?.kind === "word"
  if (column !== undefined && isName && rest.length === 0 && (word === "ASC" || word === "DESC"))
    return { column: column.text, isDescending: word === "DESC" }
  throw new AssayError(
    "bad_filter",
    '`orderby` can\'t be read: write one column in double quotes, and ASC or DESC: "age" DESC.',
  )
}

/**
 * Keeps the first `limit` rows by a column: numbers before texts, rows without a value last. Equal rows keep their order.
 */
export function createFirstOrdered(
  { column, isDescending }: { readonly column: string; readonly isDescending: boolean },
  limit: number,
): FirstOrdered {
  let kept: Ordered[] = []
  const sign = isDescending ? -1 : 1
  function compare(a: Ordered, b: Ordered): number {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null) || a.index - b.index
    return sign * compareKeys(a.key, b.key) || a.index - b.index
  }
  const cut = () => {
    kept = kept.toSorted(compare).slice(0, limit)
  }
  return {
    add(row, index) {
      kept.push({ key: keyOf(valueOf(row, column)), index })
      if (kept.length >= 2 * limit + 1000) cut()
    },
    indexes() {
      cut()
      return kept.map(({ index }) => index)
    },
  }
}

function keyOf(value: unknown): Key {
  if (isNothing(value)) return null
  const number = nearestNumber(value)
  if (typeof number === "number") return number
  if (typeof value === "boolean") return value
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, MAX_KEY_CHARACTERS)
}

const RANKS = { boolean: 0, number: 1, string: 2 } as const

function compareKeys(a: NonNullable<Key>, b: NonNullable<Key>): number {
  const rank = RANKS[typeof a as keyof typeof RANKS] - RANKS[typeof b as keyof typeof RANKS]
  return rank || (a < b ? -1 : a > b ? 1 : 0)
}
