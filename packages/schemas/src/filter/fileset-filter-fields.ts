import { PURPOSES } from "../filesets/fileset.ts"
import { STORAGE_TYPES } from "../filesets/storage-configuration.ts"

/** How the values of a column are read: text, a date, one of a closed list, or JSON below a free-form map. */
export type FilterFieldKind = "text" | "date" | "enum" | "json"

export interface FilterFieldRule {
  readonly kind: FilterFieldKind
  /** The closed list of an enum. */
  readonly values?: readonly string[]
  /** Whether an empty value in brackets is the empty text, which such a column can hold. Elsewhere it is null. */
  readonly canBeEmpty?: boolean
}

/** The fields by which filesets can be filtered. */
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
} as const satisfies Record<string, FilterFieldRule>

export type FilesetFilterColumn = keyof typeof FILESET_FILTER_FIELDS

export function isFilterColumn(name: string): name is FilesetFilterColumn {
  return Object.hasOwn(FILESET_FILTER_FIELDS, name)
}

/** Whether a name is that of a free-form map, below which every path is a field. */
export function isMapColumn(name: string): boolean {
  return isFilterColumn(name) && FILESET_FILTER_FIELDS[name].kind === "json"
}
