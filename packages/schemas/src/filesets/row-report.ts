import { Type, type Static } from "@sinclair/typebox"

const orNull = (type: "integer" | "string" | "number", description: string) => ({ type: [type, "null"], description })

const place = {
  line: Type.Unsafe<number | null>(
    orNull("integer", "Line on which the row begins, from 1; null in Parquet, which has no lines."),
  ),
  offset: Type.Unsafe<number | null>(
    orNull("integer", "Byte at which the row begins, from 0, in the file as it is uncompressed; null in Parquet."),
  ),
}
const row_index = Type.Integer({ description: "Which row of the file it is, from 0." })
const fault = {
  pointer: Type.String({ description: 'JSON pointer to the value within the row; `""` for the row itself.' }),
  message: Type.String({ description: "What is wrong with the value." }),
}

/** One thing that is wrong with one row of a file. */
export const RowIssue = Type.Object({ row_index, ...place, ...fault }, { $id: "RowIssue" })
export type RowIssue = Static<typeof RowIssue>

/** What the rows of one file are like, held against the schema of its path. */
export const RowFileReport = Type.Object(
  {
    path: Type.String(),
    schema: Type.Unsafe<string | null>(
      orNull("string", "Its name in `schema_defs`, or where it is inline; null where no schema is for this path."),
    ),
    rows: Type.Integer(),
    valid: Type.Integer({ description: "Rows that are JSON, and satisfy the schema where there is one." }),
    invalid: Type.Integer(),
    issues: Type.Array(RowIssue, { description: "The first ones, in the order of the rows." }),
    issues_truncated: Type.Boolean({ description: "Whether there are more issues than are listed." }),
  },
  { $id: "RowFileReport" },
)
export type RowFileReport = Static<typeof RowFileReport>

/** What validation of a fileset's rows found. */
export const RowReport = Type.Object(
  {
    files: Type.Array(RowFileReport, { description: "Every file that holds rows, in the order of the paths." }),
    rows: Type.Integer(),
    valid: Type.Integer(),
    invalid: Type.Integer(),
    without_schema: Type.Array(Type.String(), { description: "Paths of row files that no schema is for." }),
  },
  { $id: "RowReport" },
)
export type RowReport = Static<typeof RowReport>

/** A row with what is wrong with it. */
export const RowWithIssues = Type.Object(
  {
    row_index,
    line: place.line,
    row: Type.Unknown({ description: "The row as JSON; null where it can't be read, and `issues` says why." }),
    issues: Type.Array(Type.Object(fault)),
  },
  { $id: "RowWithIssues" },
)
export type RowWithIssues = Static<typeof RowWithIssues>

/** Rows of one file, from an offset on. */
export const RowPage = Type.Object(
  {
    data: Type.Array(RowWithIssues),
    total: Type.Integer({ description: "Rows of the whole file." }),
    next_offset: Type.Unsafe<number | null>(orNull("integer", "Where the next page begins; null after the last row.")),
  },
  { $id: "RowPage" },
)
export type RowPage = Static<typeof RowPage>
