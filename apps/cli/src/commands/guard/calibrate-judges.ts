import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import {
  exampleSetPath,
  formatReportHtml,
  formatReportJunit,
  formatReportText,
  openFileJournal,
  reportCalibration,
  runCalibration,
  type CalibrationReport,
} from "@assay/guardrails"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { formatJson } from "../../output/format-json.ts"
import { createProgressLine } from "../../output/progress-line.ts"
import { localFailure } from "@assay/storage/paths"
import { print } from "../print.ts"
import { formatCalibrationProgress } from "./format-calibration-progress.ts"
import type { EndpointOptions } from "./guard-options.ts"
import { labelledRows } from "./labelled-rows.ts"
import { openGuard } from "./open-guard.ts"
import type { OpenedGuard } from "./opened-guard.ts"

export interface CalibrateOptions extends EndpointOptions {
  readonly data?: string
  readonly config: readonly string[]
  readonly repeat: number
  readonly parallelism: number
  readonly limit?: number
  readonly logprobs?: boolean
  readonly maxFalseBlock?: number
  readonly maxMiss?: number
  readonly out: string
  readonly junit?: string
}

const EXIT_OF = { PASS: EXIT.done, INCONCLUSIVE: EXIT.inconclusive, FAIL: EXIT.no } as const

/** `assay guard calibrate`: the answer is no where a gate fails. */
export async function calibrateJudges(context: Context, options: CalibrateOptions): Promise<ExitCode> {
  context.keepHeapSmall()
  const out = resolve(context.cwd, options.out)
  const guards = await openGuards(context, options)
  try {
    const report = await measure(context, options, guards, out)
    const files = await writeReports(
      report,
      out,
      options.junit === undefined ? undefined : resolve(context.cwd, options.junit),
    )
    await print(
      context,
      options,
      report,
      () => `${formatReportText(report)}\n${files.map((file) => `wrote ${file}\n`).join("")}`,
    )
    return report.verdict === null ? EXIT.done : EXIT_OF[report.verdict]
  } finally {
    await Promise.all(guards.map((guard) => guard.close()))
  }
}

/** Every configuration with every model that is named. */
async function openGuards(context: Context, options: CalibrateOptions): Promise<readonly OpenedGuard[]> {
  const configs = options.config.length === 0 ? [undefined] : options.config
  const models = options.model.length === 0 ? [undefined] : options.model
  const guards: OpenedGuard[] = []
  for (const config of configs)
    for (const model of models) guards.push(await openGuard(context, config, model, options))
  return guards
}

async function measure(
  context: Context,
  options: CalibrateOptions,
  guards: readonly OpenedGuard[],
  out: string,
): Promise<CalibrationReport> {
  const { signal, now } = context
  const { repeat, parallelism, logprobs = false, maxFalseBlock, maxMiss, limit } = options
  const data = options.data ?? exampleSetPath()
  const candidates = guards.map((guard) => ({
    name: guard.name,
    digest: guard.digest,
    judge: (prompt: Parameters<OpenedGuard["check"]>[0], { signal: asking }: { readonly signal: AbortSignal }) =>
      guard.check(prompt, { signal: asking, logprobs }),
  }))
  const line = createProgressLine(context, formatCalibrationProgress)
  const journal = await openFileJournal(join(out, "journal.jsonl"))
  try {
    const rows = labelledRows(context, data, limit)
    const asks = { candidates, rows, repeat, parallelism, journal, signal, now }
    const run = await runCalibration({ ...asks, onProgress: (progress) => line.show(progress) })
    return reportCalibration(run, {
      data: options.data ?? "the example set of Assay",
      ...(maxFalseBlock === undefined ? {} : { maxFalseBlock }),
      ...(maxMiss === undefined ? {} : { maxMiss }),
    })
  } finally {
    line.clear()
    await journal.close()
  }
}

async function writeReports(
  report: CalibrationReport,
  out: string,
  junit: string | undefined,
): Promise<readonly string[]> {
  const files: readonly (readonly [string, string])[] = [
    [join(out, "report.json"), formatJson(report)],
    [join(out, "report.html"), formatReportHtml(report)],
    ...(junit === undefined ? [] : [[junit, formatReportJunit(report)] as const]),
  ]
  for (const [file, text] of files) {
    try {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    } catch (error) {
      throw localFailure(error, "write", file)
    }
  }
  return files.map(([file]) => file)
}
