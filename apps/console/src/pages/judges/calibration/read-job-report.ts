import type { Client, FileContent } from "@assay/client"
import { formatBytes } from "@assay/reports"
import {
  type CalibrationReport,
  type Certificate,
  type EvaluationJob,
  readCalibrationReport,
  readCertificate,
} from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { JUDGE_REPORTS } from "../../../api/judge-reports.ts"

/** The location of the results of a job: workspace, fileset, and the folder in it. */
const FILES_URL = /^\w+:\/\/datasets\/([^/]+)\/([^/]+)\/?(.*?)\/?$/u
/** Maximum size of a report, in bytes. A report keeps at most 440 prompts of each judge. */
const MAX_REPORT = 64 * 1024 * 1024

/** A calibration report with the job that made it. */
export interface JobReport {
  readonly job: EvaluationJob
  readonly report: CalibrationReport
}

/** Reads the calibration report of a job. @throws `not_found` if its results have none */
export async function readJobReport(client: Client, id: string, signal: AbortSignal): Promise<JobReport> {
  const { jobs } = client.evaluation
  const [job, { files_url }] = await Promise.all([jobs.get(id, { signal }), jobs.result(id, { signal })])
  const path = JUDGE_REPORTS[job.config.type]
  const [, workspace, fileset, folder = ""] = FILES_URL.exec(files_url ?? "") ?? []
  if (path === undefined || workspace === undefined || fileset === undefined) {
    throw new AssayError("not_found", `The results of ${id} contain no calibration report.`)
  }
  const filePath = folder === "" ? path : `${folder}/${path}`
  const text = await readReportText(await client.files.read(workspace, fileset, filePath, { signal }))
  return { job, report: readCalibrationReport(text) }
}

/** The content of a file of judges. */
export type JudgeFile =
  | { readonly kind: "report"; readonly report: CalibrationReport }
  | { readonly kind: "certificate"; readonly certificate: Certificate }

/** Reads a report or a certificate that the user chose from a disk. @throws `invalid_request`, `bad_document` if it is neither */
export async function readJudgeFile(file: File): Promise<JudgeFile> {
  checkSize(file.size)
  const text = await file.text()
  return CERTIFICATE.test(text)
    ? { kind: "certificate", certificate: readCertificate(text, file.name) }
    : { kind: "report", report: readCalibrationReport(text) }
}

/** The kind of the file is its first key. */
const CERTIFICATE = /^\s*\{\s*"kind"\s*:\s*"assay-guard-certificate"/u

async function readReportText({ size, bytes }: FileContent): Promise<string> {
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
