import { PURPOSES } from "../fileset.ts"
import { STORAGE_TYPES } from "../storage-configuration.ts"

/** How the values of a column are read: text, a date, one of a closed list, or JSON below a free-form map. */
export type FilterFieldKind = "text" | "date" | "enum" | "json"

export interface FilterFieldRule {
  readonly kind: FilterFieldKind
  readonly values?: readonly string[]
}

/** The fields by which filesets can be filtered. */
export const FILESET_FILTER_FIELDS = {
  id: { kind: "text" },
  name: { kind: "text" },
  workspace: { kind: "text" },
  project: { kind: "text" },
  description: { kind: "text" },
  purpose: { kind: "enum", values: PURPOSES },
  storage_type: { kind: "enum", values: STORAGE_TYPES },
  created_at: { kind: "date" },
  updated_at: { kind: "date" },
  metadata: { kind: "json" },
  custom_fields: { kind: "json" },
} as const satisfies Record<string, FilterFieldRule>

export type FilesetFilterColumn = keyof typeof FILESET_FILTER_FIELDS
