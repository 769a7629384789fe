import type { ScoredRow } from "@assay/schemas"
import { valueText } from "../../../documents/value-text.ts"

type Item = ScoredRow["item"]

/** A field of items that can be a column. */
export interface ItemField {
  readonly name: string
  /** Whether it is shown before somebody chooses columns. */
  readonly isShown: boolean
  /** Whether all of its values are numbers. */
  readonly isNumber: boolean
  /** Characters of its longest value among the first items. */
  readonly length: number
}

/** Fields beyond these are only in the panel of a row. */
const MAX_FIELDS = 40
/** Columns of items that are shown at first. */
const MAX_SHOWN = 4
/** Characters by which values are compared. */
const COMPARED = 500

/**
 * Returns the fields of items that can be columns, in the order of the first items. Those that differ between rows are shown, at most
 * four; fields in `asked` come first. Objects and lists are shown in the panel of a row.
 * @param asked fields that prompts and metrics use
 * @param most columns that are shown at first
 */
export function itemFields(
  items: readonly Item[],
  asked: ReadonlySet<string>,
  most: number = MAX_SHOWN,
): readonly ItemField[] {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))].slice(0, MAX_FIELDS)
  const found = names.map((name) => describeField(name, items))
  const differing = found.filter(({ isPlain, differs }) => isPlain && differs)
  // A single row differs from none: everything plain is of use.
  const useful = differing.length > 0 ? differing : found.filter(({ isPlain }) => isPlain)
  const ranked = [
    ...useful.filter(({ name }) => asked.has(name)),
    ...useful.filter(({ name }) => !asked.has(name)),
  ].slice(0, most)
  const shown = new Set(ranked.map(({ name }) => name))
  return found.map(({ name, isNumber, length }) => ({ name, isNumber, length, isShown: shown.has(name) }))
}

function describeField(name: string, items: readonly Item[]) {
  const values = items.map((item) => (Object.hasOwn(item, name) ? item[name] : undefined))
  const given = values.filter((value) => value !== undefined && value !== null)
  const texts = new Set(values.map((value) => comparedText(value)))
  return {
    name,
    differs: texts.size > 1,
    isPlain: given.length > 0 && !given.some((value) => typeof value === "object"),
    isNumber: given.length > 0 && given.every((value) => typeof value === "number"),
    length: Math.max(0, ...given.map((value) => valueText(value).slice(0, COMPARED).length)),
  }
}

function comparedText(value: unknown): string {
  if (typeof value === "object" && value !== null) return "an object"
  const text = valueText(value)
  return `${typeof value} ${text.length} ${text.slice(0, COMPARED)}`
}
