import { printableJson } from "@assay/schemas/printable"
import { maskKeys } from "@assay/schemas"
import { checkGates, type GateOutcome } from "./check-gates.ts"
import { formatJunit } from "./format-junit.ts"
import { formatLog } from "./format-log.ts"
import { formatMetricsCsv } from "./format-metrics-csv.ts"
import { formatReport } from "./report/format-report.ts"
import type { ResultsInput } from "./results-input.ts"
import type { ResultsSink } from "./results-sink.ts"
import { textBytes } from "./text-bytes.ts"
import { writeGuardrailReports } from "./write-guardrail-reports.ts"
import { writeRows } from "./write-rows.ts"

/**
 * Writes what a job leaves behind: `config/` with what it takes to run it again, `results/` with scores, rows, logs and reports. The
 * same files are replaced after a later round; `results.json` comes last. Rows pass through: 8 bytes a row are kept. Keys are masked.
 *
 * @returns what the gates say
 * @throws `invalid_request` for a gate on a score that is not there; what the sink throws
 */
export async function writeResults(
  input: ResultsInput,
  sink: ResultsSink,
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly GateOutcome[]> {
  const { result, status, conditions, pins, environment } = input
  const job = maskKeys(input.job)
  const gates = result === null ? [] : checkGates(result, input.gates ?? [])
  const write = (path: string, text: string) => sink.write(path, textBytes(text))

  await write("config/job.json", json({ ...job, status, conditions, pins }))
  await write("config/target.json", json(job.target))
  await write("config/config.json", json(job.config))
  await write("config/pins.json", json(pins))
  await write("config/environment.json", json(environment))
  const rows = await writeRows(input, sink, options.signal)
  await sink.write("results/evaluation.log", formatLog(input.log))
  await write("results/junit.xml", formatJunit({ ...input, gates }))
  await write("results/report.html", formatReport({ ...input, ...rows, job, gates }))
  await writeGuardrailReports(input, sink, options.signal)
  if (result !== null) {
    await write("results/metrics.csv", formatMetricsCsv(result))
    await write("results/results.json", json(result))
  }
  return gates
}

function json(value: unknown): string {
  return `${printableJson(JSON.stringify(value, null, 2))}\n`
}
