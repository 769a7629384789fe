import { isObject } from "@assay/json"

/** Something in a bundle that is not what its other parts give. */
export interface Difference {
  /** Such as `candidate: answers, row 17: contains.string-check`. */
  readonly what: string
  readonly stored: unknown
  readonly recomputed: unknown
}

/** Collects differences. Only the first of many are kept. */
export interface Differences {
  add(what: string, stored: unknown, recomputed: unknown): void
  readonly total: number
  readonly list: readonly Difference[]
}

const MAX_KEPT = 100
const MAX_TEXT = 300

export function createDifferences(): Differences {
  const list: Difference[] = []
  let total = 0
  return {
    add(what, stored, recomputed) {
      total++
      if (list.length < MAX_KEPT) list.push({ what, stored: shortened(stored), recomputed: shortened(recomputed) })
    },
    get total() {
      return total
    },
    list,
  }
}

/** Absent values become null, which JSON can hold. */
function shortened(value: unknown): unknown {
  if (typeof value === "number" || typeof value === "boolean" || value === null || value === undefined)
    return value ?? null
  const text = typeof value === "string" ? value : JSON.stringify(value)
  if (text.length <= MAX_TEXT) return value
  return `${text.slice(0, MAX_TEXT)}…`
}

/** Adds a difference for each place at which two JSON values differ. Numbers may differ by rounding. */
export function addDifferences(differences: Differences, path: string, stored: unknown, recomputed: unknown): void {
  if (isSame(stored, recomputed)) return
  const keys = keysOf(stored, recomputed)
  if (keys === undefined) return differences.add(path, stored, recomputed)
  for (const key of keys) addDifferences(differences, `${path}.${key}`, fieldOf(stored, key), fieldOf(recomputed, key))
}

/** The part of a number that may differ, because processors and versions of an engine round differently. */
const ROUNDING = 1e-9

function isSame(stored: unknown, recomputed: unknown): boolean {
  if (stored === recomputed) return true
  if (typeof stored !== "number" || typeof recomputed !== "number") return false
  return Math.abs(stored - recomputed) <= ROUNDING * Math.max(Math.abs(stored), Math.abs(recomputed))
}

/** Returns the keys of two objects or lists; undefined if one of the values is neither. */
function keysOf(stored: unknown, recomputed: unknown): readonly string[] | undefined {
  const areLists = Array.isArray(stored) && Array.isArray(recomputed)
  if (!areLists && !(isObject(stored) && isObject(recomputed))) return undefined
  return [...new Set([...Object.keys(stored as object), ...Object.keys(recomputed as object)])]
}

function fieldOf(value: unknown, key: string): unknown {
  return Object.hasOwn(value as object, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined
}
