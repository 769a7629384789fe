import { parseRowFilterTerm, type RowFilters } from "@assay/client"
import { AssayError, printable, RowWithIssues } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { boundItems, withNotes } from "../answers/bound-answer.ts"
import { defineTool } from "../tool.ts"
import { addressOf, filesetField, limitField, nextOffsetField, notesField, offsetField, pathField } from "./fields.ts"

const MAX_CONDITIONS = 20

export const readRows = defineTool({
  name: "read_rows",
  title: "Read rows",
  description:
    "Reads rows of a file of a dataset (JSONL, JSON, CSV, TSV or Parquet), each with the faults that its schema finds. Read a few rows to learn the columns before you write an evaluation.",
  effect: "reads",
  input: Type.Object(
    {
      fileset: filesetField,
      path: pathField("The path of the file, as list_files returns it."),
      offset: offsetField("rows"),
      limit: limitField("rows", 10, 100),
      where: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
          maxItems: MAX_CONDITIONS,
          description: "Conditions on columns that all must hold: `stars<3`, `label=spam,ham`, `text~refund`.",
          examples: [["stars<3"]],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    rows: Type.Array(
      Type.Object({ row_index: Type.Integer(), row: Type.Unknown(), issues: RowWithIssues.properties.issues }),
    ),
    total: Type.Integer({ description: "Rows of the whole file." }),
    next_offset: nextOffsetField,
    notes: notesField,
  }),
  run: async ({ fileset, path, offset, limit, where = [] }, { client, workspace, signal }) => {
    const [owner, name] = addressOf(fileset, workspace)
    const query = { path, offset, limit, ...(where.length === 0 ? {} : { filter: filtersOf(where) }) }
    const page = await client.rows.page(owner, name, query, { signal })
    const rows = page.data.map(({ row_index, row, issues }) => ({ row_index, row, issues }))
    const { kept, notes } = boundItems(rows, {
      noun: "row",
      rest: (count) => `Continue with offset ${rows[count]?.row_index ?? offset + count}.`,
      shorten: (row, text) => ({ ...row, row: text, issues: row.issues.slice(0, 3) }),
    })
    const first = rows[kept.length]
    const next = first === undefined ? page.next_offset : first.row_index
    return { rows: [...kept], total: page.total, next_offset: next, ...withNotes(notes, page.notes) }
  },
})

/** @throws `bad_filter` for a text that is not a condition */
function filtersOf(conditions: readonly string[]): RowFilters {
  // A column may have the name of a property that every object has.
  const filters = Object.create(null) as Record<string, Record<string, string>>
  for (const text of conditions) {
    const term = parseRowFilterTerm(text)
    if (term === undefined) {
      const message = `'${printable(text)}' is not a condition: write a column, a sign and a value, such as stars<3; the signs are < <= > >= = != ~.`
      throw new AssayError("bad_filter", message)
    }
    const { field, value } = term
    const operator = term.operator === "$eq" && value.includes(",") ? "$in" : term.operator
    if (filters[field]?.[operator] !== undefined) {
      throw new AssayError(
        "bad_filter",
        `Two conditions compare '${printable(field)}' in the same way: give one of them.`,
      )
    }
    filters[field] = { ...filters[field], [operator]: value }
  }
  return filters
}
