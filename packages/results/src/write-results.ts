import { formatReportHtml, formatReportJunit, type CalibrationReport } from "@assay/guardrails"
import { formatJson } from "@assay/reports"
import { jobVerdict, maskKeys } from "@assay/schemas"
import { formatJobJunit } from "./files/format-job-junit.ts"
import { formatLog } from "./files/format-logs.ts"
import { formatMetricsCsv } from "./files/format-metrics-csv.ts"
import { writeRows } from "./files/write-rows.ts"
import { reportGuardrails } from "./guardrail-reports.ts"
import { formatReport } from "./report/format-report.ts"
import { type ResultsInput, type ResultsSink, writeText } from "./results-input.ts"

/**
 * Writes the files that a job leaves behind: `config/` has everything that is needed to run it again, `results/` has scores,
 * rows, logs and reports. A later attempt replaces the same files. `results.json` is written last. Keys are masked.
 * Memory: 8 bytes per row, since rows are streamed.
 *
 * @throws the errors of the sink
 */
export async function writeResults(
  input: ResultsInput,
  sink: ResultsSink,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { result, status, conditions, pins, environment, recording } = input
  const job = maskKeys(input.job)
  const reports = await guardrailReports(input, options.signal)
  const calibration = job.config.type === "calibration" ? reports[0] : undefined
  const { units, gates = [], failed } = input.progress ?? {}
  const verdict = jobVerdict({ status, gates, conditions, failed })
  const write = (path: string, text: string) => writeText(sink, path, text)

  await write("config/job.json", formatJson({ ...job, status, conditions, pins, units, gates, verdict }))
  await write("config/target.json", formatJson(job.target))
  await write("config/config.json", formatJson(job.config))
  await write("config/pins.json", formatJson(pins))
  await write("config/environment.json", formatJson(environment))
  if (recording !== undefined) await write("config/recording.json", formatJson(recording))
  const rows = await writeRows(input, sink, options.signal)
  await sink.write("results/evaluation.log", () => formatLog(input.log))
  // The report of judges does not say that a job failed or was stopped.
  const isWhole = calibration !== undefined && status === "COMPLETED"
  await write(
    "results/junit.xml",
    isWhole ? formatReportJunit(calibration) : formatJobJunit([{ input: { ...input, gates } }]),
  )
  await write(
    "results/report.html",
    isWhole ? formatReportHtml(calibration) : formatReport({ ...input, ...rows, job, gates }),
  )
  for (const [at, report] of reports.entries()) {
    const path = report === calibration ? "report" : `guardrail${at === 0 ? "" : `-${at + 1}`}`
    await write(`results/${path}.json`, formatJson(report))
    if (report !== calibration) await write(`results/${path}.html`, formatReportHtml(report))
  }
  if (result !== null) {
    await write("results/metrics.csv", formatMetricsCsv(result))
    await write("results/results.json", formatJson(result))
  }
}

/** Returns the reports of a job that measures guardrails. A report has at most 440 examples of each judge. */
function guardrailReports(
  { job, journal, pins, result }: ResultsInput,
  signal: AbortSignal | undefined,
): Promise<readonly CalibrationReport[]> {
  if (journal === undefined || result === null) return Promise.resolve([])
  return Array.fromAsync(reportGuardrails({ job, journal, pins, result }, signal))
}
