import { type Static, Type } from "@sinclair/typebox"
import { PURPOSES } from "../filesets/fileset.ts"
import { STORAGE_TYPES } from "../filesets/storage-configuration.ts"
import { Timestamp, enumeration } from "../records/field-types.ts"
import { FILESET_FILTER_FIELDS } from "./filter-fields.ts"
import type { Filter } from "./filter.ts"
import type { QueryParameter } from "./parse-bracket-filter.ts"
import { parseFilter } from "./parse-filter.ts"

/** Parses the filter of a listing of filesets; undefined if there is none. @throws the errors of `parseFilter` */
export function parseFilesetFilter(parameters: Iterable<QueryParameter>): Filter | undefined {
  return parseFilter(parameters, FILESET_FILTER_FIELDS)
}

const DateRange = Type.Object(
  {
    $gte: Type.Optional(Type.String({ ...Timestamp, description: "On or after." })),
    $lte: Type.Optional(Type.String({ ...Timestamp, description: "On or before." })),
  },
  { $id: "DateRange" },
)

/** The plain form of a filter: all of its keys must match. Other forms have operators and logic too. */
export const FilesetFilter = Type.Object(
  {
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    purpose: Type.Optional(enumeration(PURPOSES)),
    storage_type: Type.Optional(enumeration(STORAGE_TYPES)),
    created_at: Type.Optional(DateRange),
    updated_at: Type.Optional(DateRange),
  },
  { $id: "FilesetFilter" },
)
export type FilesetFilter = Static<typeof FilesetFilter>
