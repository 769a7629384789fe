import { resolve } from "node:path"
import type { Summary } from "@assay/reports"
import { guardrailReports } from "@assay/results"
import {
  calibrate,
  type CalibrationReport,
  formatCalibrationProgress,
  formatReportText,
  type OpenedGuard,
} from "@assay/guardrails"
import { createProgressLine } from "@assay/reports/terminal"
import type { Context } from "../../context.ts"
import { EXIT, EXIT_OF_VERDICT, type ExitCode } from "../../exit-code.ts"
import { makeFolder, writeFile } from "../../output/write-file.ts"
import { checkReports, isOnStdout, writeSummary } from "../summary/write-summary.ts"
import { print } from "../print.ts"
import { EXAMPLE_SET, labelledRows } from "./labelled-rows.ts"
import { openGuard, type EndpointOptions } from "./open-guard.ts"

export interface CalibrateOptions extends EndpointOptions {
  readonly data?: string
  readonly config: readonly string[]
  readonly repeats: number
  readonly parallel: number
  readonly limit?: number
  readonly logprobs?: boolean
  readonly maxFalseBlock?: number
  readonly maxMiss?: number
  readonly out: string
  readonly junit?: string
  readonly summary?: string
}

/** Runs `assay guard calibrate`. Returns 1 if a gate fails, and 3 if none fails and one is inconclusive. */
export async function calibrateJudges(context: Context, options: CalibrateOptions): Promise<ExitCode> {
  await checkReports(context, options)
  context.keepHeapSmall()
  const { cwd, signal, now } = context
  const {
    data,
    limit,
    logprobs = false,
    out,
    junit,
    maxFalseBlock,
    maxMiss,
    parallel: parallelism,
    repeats: repeat,
  } = options
  const guards = await openGuards(context, options)
  const line = createProgressLine(context, formatCalibrationProgress)
  try {
    await makeFolder(resolve(cwd, out))
    const { report, files } = await calibrate({
      candidates: guards.map(({ name, digest, check }) => ({
        name,
        digest,
        judge: (prompt, asking) => check(prompt, { ...asking, logprobs }),
      })),
      rows: labelledRows(context, data ?? EXAMPLE_SET, limit),
      data: data ?? EXAMPLE_SET,
      folder: resolve(cwd, out),
      junit: junit === undefined ? undefined : resolve(cwd, junit),
      writeFile,
      maxFalseBlock,
      maxMiss,
      parallelism,
      repeat,
      signal,
      now,
      onProgress: (progress) => line.show(progress),
      onAnswered: () => line.clear(),
    })
    const written = files.map((file) => `wrote ${file}\n`).join("")
    await writeSummary(context, options, () => summaryOfCalibration(report, files))
    if (!isOnStdout(options)) await print(context, options, report, () => `${formatReportText(report)}\n${written}`)
    return report.verdict === null ? EXIT.done : EXIT_OF_VERDICT[report.verdict]
  } finally {
    await Promise.all(guards.map((guard) => guard.close()))
  }
}

/** Returns the verdict, the gates and the conditions of judges. */
function summaryOfCalibration(report: CalibrationReport, files: readonly string[]): Summary {
  const { data, verdict, rows, elapsed_ms: milliseconds, conditions } = report
  const named = conditions.map((one) => ({ ...one, message: `${one.judge}: ${one.message}` }))
  return {
    name: `judges on ${data}`,
    verdict: verdict ?? "PASS",
    job: { status: "COMPLETED", message: "", rows: rows.total, milliseconds, conditions: named },
    gates: guardrailReports.gates(report),
    links: files.map((path) => ({ label: "File", path })),
  }
}

/** Opens every configuration with every model that is named. */
async function openGuards(context: Context, options: CalibrateOptions): Promise<readonly OpenedGuard[]> {
  const configs = options.config.length === 0 ? [undefined] : options.config
  const models = options.model.length === 0 ? [undefined] : options.model
  const guards: OpenedGuard[] = []
  for (const config of configs)
    for (const model of models) guards.push(await openGuard(context, { config, model }, options))
  return guards
}
