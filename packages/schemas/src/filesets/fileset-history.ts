import { Type, type Static } from "@sinclair/typebox"
import { enumeration, orNull, Timestamp } from "../records/field-types.ts"

const Count = Type.Integer({ minimum: 0 })
const Revision = Type.String({
  description: "The id of a commit or of a change, the first seven or more of its digits, a tag, or a time.",
})

/** A change of a fileset: what one author did in a row, or a commit. */
export const FilesetChange = Type.Object(
  {
    revision: Type.String({ description: "Names the files after the change." }),
    is_commit: Type.Boolean({ description: "Whether a client of the hub committed it." }),
    began_at: Timestamp,
    ended_at: Timestamp,
    author: Type.String({ description: "Name of the token; empty for work of the server." }),
    title: Type.String(),
    added: Count,
    replaced: Count,
    deleted: Count,
  },
  { $id: "FilesetChange" },
)
export type FilesetChange = Static<typeof FilesetChange>

/** A version of a file that was replaced or deleted. */
export const EndedVersion = Type.Object(
  {
    path: Type.String(),
    size: Type.Integer({ description: "Bytes." }),
    sha256: orNull<string>("string", "Lower-case hex; null if it is not known."),
    ended_at: Timestamp,
    is_deleted: Type.Boolean({ description: "True: the file was deleted. False: it was replaced." }),
    revision: Type.String({ description: "The revision that ended it. The files before it had this version." }),
    author: Type.String(),
    gone: orNull<string>("string", "When and why its bytes went; null: they are kept."),
  },
  { $id: "EndedVersion" },
)
export type EndedVersion = Static<typeof EndedVersion>

/** The replaced and deleted files that a fileset keeps. */
export const KeptUsage = Type.Object(
  { files: Count, bytes: Type.Integer({ minimum: 0, description: "Bytes of storage besides those of the files." }) },
  { $id: "KeptUsage" },
)
export type KeptUsage = Static<typeof KeptUsage>

export const FilesetHistory = Type.Object(
  {
    data: Type.Array(FilesetChange, { description: "Newest first. Empty if a `path` is given." }),
    versions: Type.Array(EndedVersion, { description: "With `path`: its former versions, newest first." }),
    kept: KeptUsage,
    next_page_token: Type.Optional(Type.String({ description: "Absent on the last page." })),
  },
  { $id: "FilesetHistory" },
)
export type FilesetHistory = Static<typeof FilesetHistory>

/** A file that differs between two revisions. */
export const FileDifference = Type.Object(
  {
    change: enumeration(["added", "removed", "changed"]),
    path: Type.String(),
    from_size: orNull<number>("integer", "Bytes; null if it is added."),
    to_size: orNull<number>("integer", "Bytes; null if it is removed."),
  },
  { $id: "FileDifference" },
)
export type FileDifference = Static<typeof FileDifference>

export const FilesetDiff = Type.Object(
  {
    from: Revision,
    to: Revision,
    data: Type.Array(FileDifference, { description: "The first `limit` files, in code-point order of their paths." }),
    added: Count,
    removed: Count,
    changed: Count,
  },
  { $id: "FilesetDiff" },
)
export type FilesetDiff = Static<typeof FilesetDiff>

const Cell = Type.Object({
  column: Type.String({ description: "Empty if the rows are not objects." }),
  from: Type.Optional(Type.Unknown({ description: "Absent: the row had no such column." })),
  to: Type.Optional(Type.Unknown({ description: "Absent: the row has no such column." })),
})

/** A row that differs between two revisions. */
export const DifferingRow = Type.Object(
  {
    change: enumeration(["added", "removed", "changed"]),
    from_index: orNull<number>("integer", "Index of the row in the file of `from`; null if it is added."),
    to_index: orNull<number>("integer", "Index of the row in the file of `to`; null if it is removed."),
    row: Type.Optional(Type.Unknown({ description: "The row that was added or removed." })),
    cells: Type.Optional(Type.Array(Cell, { description: "The columns that changed." })),
  },
  { $id: "DifferingRow", description: "Values of more than 2,000 characters have their middle left out." },
)
export type DifferingRow = Static<typeof DifferingRow>

export const RowDiff = Type.Object(
  {
    from: Revision,
    to: Revision,
    path: Type.String(),
    key: orNull<string>("string", "The field that names a row; null: rows are compared as wholes."),
    added: Count,
    removed: Count,
    changed: Count,
    same: Count,
    unreadable: Type.Object(
      { from: Count, to: Count },
      { description: "Rows that can't be read, which are not compared." },
    ),
    data: Type.Array(DifferingRow, {
      description: "The first `limit` rows in the order of the files; fewer if they have more than 4 MiB.",
    }),
  },
  { $id: "RowDiff" },
)
export type RowDiff = Static<typeof RowDiff>

export const RestoreFileset = Type.Object(
  {
    revision: Revision,
    path: Type.Optional(Type.String({ description: "Only this file, or the files below this folder." })),
    dry_run: Type.Optional(Type.Boolean({ description: "Whether only to say what would change. Default false." })),
  },
  { $id: "RestoreFileset", additionalProperties: false },
)
export type RestoreFileset = Static<typeof RestoreFileset>

export const RestoredFileset = Type.Object(
  {
    revision: Revision,
    change: orNull<string>("string", "The revision after the restoration; null if nothing was changed."),
    written: Type.Array(Type.Object({ path: Type.String(), size: Type.Integer() }), {
      description: "The first 1,000 files that get their bytes back.",
    }),
    deleted: Type.Array(Type.String(), { description: "The first 1,000 files that were not there at the revision." }),
    written_count: Count,
    deleted_count: Count,
  },
  { $id: "RestoredFileset" },
)
export type RestoredFileset = Static<typeof RestoredFileset>
