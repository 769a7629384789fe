import { AssayError } from "../errors/assay-error.ts"
import { PURPOSES } from "../filesets/fileset.ts"
import { STORAGE_TYPES } from "../filesets/storage-configuration.ts"
import { badFilter, excerpt, type FilterLocation } from "./filter-syntax.ts"
import { FILTER_LIMITS } from "./filter-limits.ts"
import type { FilterField } from "./filter.ts"
import { scanJsonString } from "./tokenize-filter.ts"

/** The type of a column's values: text, a date, a word of a closed list, or JSON below a free-form map. */
type FilterFieldKind = "text" | "date" | "enum" | "json"

export interface FilterFieldRule {
  readonly kind: FilterFieldKind
  /** The words of an enum. */
  readonly values?: readonly string[]
  /** Whether an empty value in brackets means the empty text. For other columns it means null. */
  readonly canBeEmpty?: boolean
  /** The value of every record, if no column stores it. */
  readonly always?: string
  /** The column whose JSON has the value below the name of the field. True and false ask whether it is there, as on the original platform. */
  readonly within?: string
}

/** The fields that a listing can be filtered by. */
export type FilterFields = Readonly<Record<string, FilterFieldRule>>

/** The fields that filesets can be filtered by. */
export const FILESET_FILTER_FIELDS = {
  id: { kind: "text" },
  name: { kind: "text", canBeEmpty: true },
  workspace: { kind: "text" },
  project: { kind: "text", canBeEmpty: true },
  description: { kind: "text", canBeEmpty: true },
  purpose: { kind: "enum", values: PURPOSES },
  storage_type: { kind: "enum", values: STORAGE_TYPES },
  created_at: { kind: "date" },
  updated_at: { kind: "date" },
  metadata: { kind: "json" },
  custom_fields: { kind: "json" },
  entity_type: { kind: "text", always: "fileset" },
} as const satisfies FilterFields

export type FilesetFilterColumn = keyof typeof FILESET_FILTER_FIELDS

/** Returns the rule of a column. Undefined if the listing has no such field. */
export function filterFieldRule(fields: FilterFields, name: string): FilterFieldRule | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** Returns whether a column is a free-form map, below which every path is a field. */
export function isMapColumn(fields: FilterFields, name: string): boolean {
  return filterFieldRule(fields, name)?.kind === "json"
}

/** Creates the error for an unknown field, in the words of the original platform. */
export function unknownFilterField(name: string, fields: readonly string[]): AssayError {
  const valid = fields.map((field) => `'${field}'`)
  return new AssayError(
    "unknown_filter_field",
    `Unknown filter field '${excerpt(name)}'. Valid fields: [${valid.join(", ")}]`,
  )
}

/** The key below which the original platform has the fields of a record. It may come before each of them. */
export const FILTER_WRAPPER = "data"

/** A name of a field in a filter, as keys and as it was written. */
interface WrittenField {
  readonly keys: readonly string[]
  readonly written: string
  readonly location: FilterLocation
}

/**
 * Returns the field that `keys` name, with or without a leading `data`. `metadata` and `custom_fields` without a key have an empty path and
 * can't be compared.
 *
 * @throws `unknown_filter_field` with the name as `written`, and `bad_filter` if the path is too long
 */
export function resolveFilterField({ keys, written, location }: WrittenField, fields: FilterFields): FilterField {
  const [column, ...path] = keys[0] === FILTER_WRAPPER ? keys.slice(1) : keys
  const isKnown = column !== undefined && filterFieldRule(fields, column) !== undefined
  if (!isKnown || (path.length > 0 && !isMapColumn(fields, column))) {
    throw unknownFilterField(written, Object.keys(fields))
  }
  if (path.length > FILTER_LIMITS.path) {
    throw badFilter(`the path has ${path.length} keys; the limit is ${FILTER_LIMITS.path}`, location)
  }
  return { column, path }
}

/**
 * Splits a dotted name into its keys: `custom_fields.a["b.c"]` has `custom_fields`, `a` and `b.c`. Returns undefined if the text is
 * not such a name.
 */
export function splitFieldName(name: string): readonly string[] | undefined {
  const keys: string[] = []
  let at = 0
  while (at < name.length || keys.length === 0) {
    if (name.startsWith('["', at) && keys.length > 0) {
      const key = scanJsonString(name, at + 1)
      if (key === undefined || name[key.end] !== "]") return undefined
      keys.push(key.value)
      at = key.end + 1
    } else {
      if (keys.length > 0 && name[at] !== ".") return undefined
      const start = keys.length > 0 ? at + 1 : at
      at = endOfKey(name, start)
      if (at === start) return undefined
      keys.push(name.slice(start, at))
    }
  }
  return keys
}

function endOfKey(name: string, start: number): number {
  let end = start
  while (end < name.length && name[end] !== "." && name[end] !== "[") end += 1
  return end
}

const PLAIN_KEY = /^[\p{L}\p{N}_$-]+$/u

/** Formats the dotted name of a field. Keys with special characters are quoted: `custom_fields.a["b.c"]`. */
export function formatFilterField({ column, path }: FilterField): string {
  return column + path.map((key) => (PLAIN_KEY.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join("")
}
