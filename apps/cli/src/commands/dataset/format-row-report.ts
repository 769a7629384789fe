import type { RowFileReport, RowReport } from "@assay/schemas"
import { formatCount } from "../../output/format-count.ts"
import { formatRowFault } from "../../output/format-row-fault.ts"
import { formatTable, type Layout } from "../../output/format-table.ts"
import { printable } from "../../output/printable.ts"

/** Counts per file, then a line for each issue that begins with its place, then all in one sentence. */
export function formatRowReport(report: RowReport, nameOf: (path: string) => string, layout: Layout = {}): string {
  const table = formatTable(
    report.files,
    [
      { heading: "FILE", value: ({ path }) => nameOf(path) },
      { heading: "ROWS", value: ({ rows }) => count(rows), align: "right" },
      { heading: "INVALID", value: ({ invalid }) => count(invalid), align: "right" },
      { heading: "SCHEMA", value: ({ schema }) => schema ?? "none" },
    ],
    layout,
  )
  const issues = report.files.flatMap((file) => fileIssues(file, nameOf))
  return [table, ...(issues.length === 0 ? [] : [`${issues.join("\n")}\n`]), `${summary(report)}\n`].join("\n")
}

function fileIssues({ path, issues, issues_truncated }: RowFileReport, nameOf: (path: string) => string): string[] {
  const name = nameOf(path)
  const more = `${printable(name)}: there are more issues; --max-issues lists more of each file`
  return [...issues.map((issue) => formatRowFault(name, issue)), ...(issues_truncated ? [more] : [])]
}

function summary({ rows, invalid, files, without_schema }: RowReport): string {
  const where = `in ${formatCount(files.length, "file")}`
  const told =
    invalid === 0
      ? `all of ${formatCount(rows, "row")} ${where} are valid`
      : `${count(invalid)} of ${formatCount(rows, "row")} ${where} ${invalid === 1 ? "is" : "are"} invalid`
  return without_schema.length === 0 ? told : `${told}; no schema is for ${formatCount(without_schema.length, "file")}`
}

function count(value: number): string {
  return value.toLocaleString("en-US")
}
