import { validateRows } from "@assay/contents"
import type { RowFileReport, RowReport } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { localSchemas } from "../../local-schemas.ts"
import { formatCount, formatTable, type Layout } from "@assay/reports/terminal"
import { formatRowFault } from "../../output/format-row-fault.ts"
import { printable } from "@assay/schemas/printable"
import { createProgressLine } from "../../output/progress-line.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { checkHasRows, openRowSource, type RowSource } from "./open-row-source.ts"
import type { MetadataOptions } from "./read-dataset-metadata.ts"
import { formatRowsProgress, type RowsProgress } from "./rows-progress.ts"

export interface ValidateDatasetOptions extends MetadataOptions, JsonOption {
  readonly maxIssues: number
}

/** `assay dataset validate <dataset>`: exit code 1 if a row is invalid. */
export async function validateDataset(
  context: Context,
  dataset: string,
  options: ValidateDatasetOptions,
): Promise<ExitCode> {
  const source = await openRowSource(context, dataset, options)
  const { maxIssues } = options
  const report = await (source.served?.validate(maxIssues) ?? validateHere(context, source, maxIssues))
  checkHasRows(report.files, dataset)
  await print(context, options, report, (_result, layout) => formatRowReport(report, source.nameOf, layout))
  return report.invalid === 0 ? EXIT.done : EXIT.no
}

async function validateHere(context: Context, source: RowSource, maxIssues: number): Promise<RowReport> {
  const { signal, cores: parallel } = context
  const { storage, path, metadata } = source
  const line = createProgressLine(context, formatRowsProgress)
  try {
    const onProgress = (progress: RowsProgress) => line.show(progress)
    return await validateRows({
      storage,
      schemas: localSchemas(context),
      path,
      metadata,
      maxIssues,
      parallel,
      signal,
      onProgress,
    })
  } finally {
    line.clear()
  }
}

/** Formats counts per file, then one line per issue that begins with its place, then a summary. */
function formatRowReport(report: RowReport, nameOf: (path: string) => string, layout: Layout = {}): string {
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
  const result =
    invalid === 0
      ? `all of ${formatCount(rows, "row")} ${where} are valid`
      : `${count(invalid)} of ${formatCount(rows, "row")} ${where} ${invalid === 1 ? "is" : "are"} invalid`
  return without_schema.length === 0
    ? result
    : `${result}; there is no schema for ${formatCount(without_schema.length, "file")}`
}

function count(value: number): string {
  return value.toLocaleString("en-US")
}
