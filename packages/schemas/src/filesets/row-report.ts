import { Type, type Static } from "@sinclair/typebox"
import { orNull } from "../records/field-types.ts"

const location = {
  line: orNull<number>("integer", "Line on which the row begins, from 1; null in Parquet, which has no lines."),
  offset: orNull<number>("integer", "Offset of the row in the uncompressed file, in bytes from 0; null in Parquet."),
}
const row_index = Type.Integer({ description: "The number of the row in its file, from 0." })
const fault = {
  pointer: Type.String({ description: 'JSON pointer to the value within the row; `""` for the row itself.' }),
  message: Type.String({ description: "The fault of the value." }),
}

/** How a file is read. */
const notes = Type.Array(Type.String(), {
  description:
    "How the text of the file is read if that is not the usual way for its name, and why: its delimiter, quotes, decimal separator and encoding. " +
    "`metadata.dataset.csv` of the fileset sets them.",
})

/** One fault of one row of a file. */
export const RowIssue = Type.Object({ row_index, ...location, ...fault }, { $id: "RowIssue" })
export type RowIssue = Static<typeof RowIssue>

/** The result of validating the rows of one file against the schema of its path. */
export const RowFileReport = Type.Object(
  {
    path: Type.String(),
    schema: orNull<string>(
      "string",
      "The name of the schema in `schema_defs`, or the place of an inline schema; null if this path has no schema.",
    ),
    rows: Type.Integer(),
    valid: Type.Integer({ description: "Rows that are JSON and satisfy the schema, if there is one." }),
    invalid: Type.Integer(),
    issues: Type.Array(RowIssue, { description: "The first issues, in the order of the rows." }),
    issues_truncated: Type.Boolean({ description: "Whether there are more issues than are listed." }),
    notes: Type.Optional(notes),
  },
  { $id: "RowFileReport" },
)
export type RowFileReport = Static<typeof RowFileReport>

/** The result of validating the rows of a fileset. */
export const RowReport = Type.Object(
  {
    files: Type.Array(RowFileReport, { description: "Every row file, in the order of the paths." }),
    rows: Type.Integer(),
    valid: Type.Integer(),
    invalid: Type.Integer(),
    without_schema: Type.Array(Type.String(), { description: "Paths of row files without a schema." }),
  },
  { $id: "RowReport" },
)
export type RowReport = Static<typeof RowReport>

/** A row with its faults. */
export const RowWithIssues = Type.Object(
  {
    row_index,
    line: location.line,
    row: Type.Unknown({ description: "The row as JSON; null if it can't be read, and `issues` says why." }),
    issues: Type.Array(Type.Object(fault)),
  },
  { $id: "RowWithIssues" },
)
export type RowWithIssues = Static<typeof RowWithIssues>

/** Rows of one file that a search has found so far, starting at an offset. */
export const RowSearchPage = Type.Object(
  {
    data: Type.Array(RowWithIssues),
    offset: Type.Integer({ description: "Position of the first row of `data` among those that were found." }),
    matched: Type.Integer({ description: "Rows that were found so far." }),
    searched: Type.Integer({ description: "Rows that were searched so far." }),
    progress: Type.Number({ description: "The part of the file that was read so far, from 0 to 1." }),
    is_complete: Type.Boolean({
      description:
        "Whether all rows were searched. A search that is not complete goes on for 20 s: ask again for its counts and further rows.",
    }),
    next_offset: orNull<number>(
      "integer",
      "The offset of the next page; null after the last row. At most 4,000,000 rows that were found are listed; others are counted.",
    ),
    kinds: Type.Array(
      Type.Object({
        pointer: Type.String({ description: "JSON pointer into the row; `*` is any element of an array." }),
        message: Type.String({ description: "Of rows that can't be read: without their texts and positions." }),
        count: Type.Integer(),
      }),
      {
        description:
          "With `invalid`: the issues of the searched rows by kind, the most frequent one first, at most 200.",
      },
    ),
  },
  { $id: "RowSearchPage" },
)
export type RowSearchPage = Static<typeof RowSearchPage>

/** The findings of a row schema in the first rows of a file. */
export const RowTrial = Type.Object(
  {
    path: Type.String({ description: "The file whose rows were checked." }),
    rows: Type.Integer({ description: "Rows that were checked." }),
    invalid: Type.Integer({ description: "Rows with issues." }),
    data: Type.Array(RowWithIssues, { description: "The first rows with issues, at most 20." }),
  },
  { $id: "RowTrial" },
)
export type RowTrial = Static<typeof RowTrial>

/** Rows of one file, starting at an offset. */
export const RowPage = Type.Object(
  {
    data: Type.Array(RowWithIssues),
    total: Type.Integer({ description: "Rows of the whole file." }),
    notes: Type.Optional(notes),
    next_offset: orNull<number>("integer", "The offset of the next page; null after the last row."),
    scanned: Type.Optional(
      Type.Integer({
        description:
          "With a filter: number of rows that were searched from `offset` on. A page ends when it is full, and also after 50,000 rows or 32 MiB: " +
          "continue at `next_offset`, also if `data` is empty.",
      }),
    ),
  },
  { $id: "RowPage" },
)
export type RowPage = Static<typeof RowPage>
