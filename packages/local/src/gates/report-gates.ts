import { type EvaluationJob, type EvaluationResult, readCalibrationReport } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { filesUrl } from "@assay/evaluation"
import { guardrailReports } from "@assay/results"
import type { ServedFiles } from "../download-results.ts"

/** Maximum size of a report in bytes. It has at most 440 prompts of each judge. */
const MAX_REPORT = 64 * 1024 * 1024

/**
 * Returns the gates of a `calibration` that has ended on a server, from the report in its results. Other jobs, and calibrations without
 * limits, have none there.
 * @throws `not_found` if the results have no report; `invalid_request`, `bad_answer` if it can't be read
 */
export async function readReportGates(
  files: Pick<ServedFiles, "read">,
  { config, namespace }: Pick<EvaluationJob, "config" | "namespace">,
  result: Pick<EvaluationResult, "files_url"> | null,
  call: { readonly signal: AbortSignal },
): Promise<ReturnType<typeof guardrailReports.gates>> {
  const { max_false_block, max_miss } = config.params ?? {}
  const isLimited = config.type === "calibration" && (max_false_block ?? max_miss ?? null) !== null
  const url = result?.files_url ?? null
  if (!isLimited || url === null) return []
  const { workspace, name, path } = filesUrl.parse(url, namespace)
  const folder = path === undefined ? "" : `${path.replace(/\/$/, "")}/`
  const { bytes } = await files.read(workspace, name, `${folder}results/report.json`, call)
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > MAX_REPORT)
      throw new AssayError("bad_answer", `The report of the job has more than ${MAX_REPORT} bytes.`)
    pieces.push(Uint8Array.from(piece))
  }
  return guardrailReports.gates(readCalibrationReport(Buffer.concat(pieces).toString()))
}
