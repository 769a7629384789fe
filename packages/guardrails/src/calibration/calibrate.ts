import { join } from "node:path"
import { formatJson } from "@assay/reports"
import { runCalibration, type CalibrationOptions } from "./asking/run-calibration.ts"
import { openFileJournal } from "./calibration-journal.ts"
import { formatReportHtml } from "./output/html/format-report-html.ts"
import { formatReportJunit } from "./output/format-report-junit.ts"
import type { CalibrationReport } from "./report/calibration-report.ts"
import { reportCalibration, type CalibrationReportOptions } from "./report/report-calibration.ts"

export interface CalibrateOptions extends Omit<CalibrationOptions, "journal">, CalibrationReportOptions {
  /** The absolute path of the folder with the reports and the journal. It is created if it is missing. */
  readonly folder: string
  /** The absolute path of a JUnit XML file to write; none by default. */
  readonly junit?: string | undefined
  /** Writes a report. It creates missing folders and replaces the file. */
  readonly writeFile: (path: string, text: string) => Promise<void>
  /** Called once when the last answer has arrived, and also if the calibration fails. */
  readonly onAnswered?: () => void
}

export interface Calibration {
  readonly report: CalibrationReport
  /** The paths of the files that were written. */
  readonly files: readonly string[]
}

/**
 * Runs a calibration on this machine and writes `report.json` and `report.html` into a folder. Its journal is
 * `journal.jsonl` in that folder: if the calibration is interrupted, the next one with the same folder continues there.
 * @throws what `runCalibration`, `reportCalibration` and `writeFile` throw; `local_file_failed` for the journal
 */
export async function calibrate(options: CalibrateOptions): Promise<Calibration> {
  const { folder, junit, writeFile } = options
  const report = await measure(options)
  const texts: readonly (readonly [path: string, text: string])[] = [
    [join(folder, "report.json"), formatJson(report)],
    [join(folder, "report.html"), formatReportHtml(report)],
    ...(junit === undefined ? [] : [[junit, formatReportJunit(report)] as const]),
  ]
  for (const [path, text] of texts) await writeFile(path, text)
  return { report, files: texts.map(([path]) => path) }
}

async function measure(options: CalibrateOptions): Promise<CalibrationReport> {
  const journal = await openFileJournal(join(options.folder, "journal.jsonl"))
  try {
    return reportCalibration(await runCalibration({ ...options, journal }), options)
  } finally {
    options.onAnswered?.()
    await journal.close()
  }
}
