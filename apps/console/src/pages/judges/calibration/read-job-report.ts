import type { Client, FileContent } from "@assay/client"
import { formatBytes } from "@assay/reports"
import type { CalibrationReport, EvaluationJob } from "@assay/schemas"
import { AssayError, isAssayError } from "@assay/schemas/errors"
import { readCalibrationReport } from "@assay/schemas/calibration-report"

/** Where jobs keep their report: those that calibrate judges, and those that measure one guardrail. */
const PATHS = ["results/report.json", "results/guardrail.json"]
/** The types of configurations whose jobs have a report. */
const TYPES: ReadonlySet<string> = new Set(["calibration", "content_safety"])
/** Where the results of a job are: workspace, fileset, and the folder in it. */
const FILES_URL = /^\w+:\/\/datasets\/([^/]+)\/([^/]+)\/?(.*?)\/?$/u
/** Maximum size of a report, in bytes. A report keeps at most 440 prompts of each judge. */
const MAX_REPORT = 64 * 1024 * 1024

/** Returns whether a job has a calibration report among its results. */
export function hasReport({ config, result }: EvaluationJob): boolean {
  return TYPES.has(config.type) && result !== null
}

/** Reads the calibration report of a job. @throws `not_found` if its results have none */
export async function readJobReport(client: Client, job: string, signal: AbortSignal): Promise<CalibrationReport> {
  const { files_url } = await client.evaluation.jobs.result(job, { signal })
  const [, workspace, fileset, folder = ""] = FILES_URL.exec(files_url ?? "") ?? []
  for (const path of workspace === undefined || fileset === undefined ? [] : PATHS) {
    try {
      const place = folder === "" ? path : `${folder}/${path}`
      return readCalibrationReport(
        await textOf(await client.files.read(workspace ?? "", fileset ?? "", place, { signal })),
      )
    } catch (error) {
      if (!isAssayError(error, "not_found")) throw error
    }
  }
  throw new AssayError("not_found", `The results of ${job} contain no calibration report.`)
}

/** Reads a report that the user chose from a disk. @throws `invalid_request` if it is no report */
export async function readReportFile(file: File): Promise<CalibrationReport> {
  checkSize(file.size)
  return readCalibrationReport(await file.text())
}

async function textOf({ size, bytes }: FileContent): Promise<string> {
  checkSize(size)
  const pieces: BlobPart[] = []
  for await (const piece of bytes) pieces.push(piece.slice())
  return new Blob(pieces).text()
}

function checkSize(size: number): void {
  if (size <= MAX_REPORT) return
  throw new AssayError(
    "invalid_request",
    `The file has ${formatBytes(size)}, and a calibration report has at most ${formatBytes(MAX_REPORT)}.`,
  )
}
