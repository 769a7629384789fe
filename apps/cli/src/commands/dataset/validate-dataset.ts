import { validateRows } from "@assay/contents"
import { createProgressLine, formatRowReport, formatRowsProgress, type RowsProgress } from "@assay/reports/terminal"
import type { RowReport } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { localSchemas } from "../../local-schemas.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { checkHasRows, openRowSource, type MetadataOptions, type RowSource } from "./open-row-source.ts"

export interface ValidateDatasetOptions extends MetadataOptions, JsonOption {
  readonly maxIssues: number
}

/** Runs `assay dataset validate <dataset>`: exit code 1 if a row is invalid. */
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
