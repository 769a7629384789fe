import { Type, type Static } from "@sinclair/typebox"
import { PURPOSES } from "../filesets/fileset.ts"
import { STORAGE_TYPES } from "../filesets/storage-configuration.ts"
import { Timestamp, enumeration } from "../records/field-types.ts"

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
