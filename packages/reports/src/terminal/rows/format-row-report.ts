import { printable, type RowFileReport, type RowReport } from "@assay/schemas"
import { formatCount, formatInteger } from "../../text/format-number.ts"
import { formatTable, type Layout } from "../format-table.ts"
import { formatRowFault } from "./format-row-fault.ts"

/**
 * Formats counts per file, then one line per issue that begins with its location, then a summary.
 * @param nameOf formats a file as the user writes it
 */
export function formatRowReport(report: RowReport, nameOf: (path: string) => string, layout: Layout = {}): string {
  const table = formatTable(
    report.files,
    [
      { heading: "FILE", value: ({ path }) => nameOf(path) },
      { heading: "ROWS", value: ({ rows }) => formatInteger(rows), align: "right" },
      { heading: "INVALID", value: ({ invalid }) => formatInteger(invalid), align: "right" },
      { heading: "SCHEMA", value: ({ schema }) => schema ?? "none" },
    ],
    layout,
  )
  const issues = report.files.flatMap((file) => [...formatRowNotes(file, nameOf), ...fileIssues(file, nameOf)])
  return [table, ...(issues.length === 0 ? [] : [`${issues.join("\n")}\n`]), `${summary(report)}\n`].join("\n")
}

/** Formats how a file is read if that is not the usual way for its name, one line for each note. */
export function formatRowNotes(
  { path, notes = [] }: Pick<RowFileReport, "path" | "notes">,
  nameOf: (path: string) => string,
): readonly string[] {
  return notes.map((note) => printable(`${nameOf(path)}: ${note}`))
}

function fileIssues({ path, issues, issues_truncated }: RowFileReport, nameOf: (path: string) => string): string[] {
  const name = nameOf(path)
  const more = `${printable(name)}: there are more issues; --max-issues lists more of each file`
  return [...issues.map((issue) => formatRowFault(name, issue)), ...(issues_truncated ? [more] : [])]
}

function summary({ rows, invalid, files, without_schema }: RowReport): string {
  const where = `in ${formatCount(files.length, "file")}`
  const result =
    rows === 0
      ? `there are no rows ${where}`
      : invalid === 0
        ? `all of ${formatCount(rows, "row")} ${where} are valid`
        : `${formatInteger(invalid)} of ${formatCount(rows, "row")} ${where} ${invalid === 1 ? "is" : "are"} invalid`
  return without_schema.length === 0
    ? result
    : `${result}; there is no schema for ${formatCount(without_schema.length, "file")}`
}
