import { join, resolve } from "node:path"
import {
  type ConfiguredCandidate,
  formatCalibrationProgress,
  formatCertificate,
  formatWithoutThresholds,
  guardCandidates,
  openFileJournal,
  optimizeJudges,
  THRESHOLDS,
} from "@assay/guardrails"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { createProgressLine } from "@assay/reports/terminal"
import type { Context } from "../../context.ts"
import { checkReportFile } from "../../output/check-report-file.ts"
import { makeFolder } from "../../output/write-file.ts"
import { EXIT_OF_VERDICT, type ExitCode } from "../../exit-code.ts"
import { readVersion } from "../../read-version.ts"
import { shownPath } from "../eval/run-end.ts"
import { print } from "../print.ts"
import { EXAMPLE_SET, labelledRows } from "./labelled-rows.ts"
import { checkExisting, writeCertificate } from "./write-certificate.ts"
import { writePage } from "./write-page.ts"
import { openCandidates, type CandidateOptions, type OpenedCandidate } from "./open-candidates.ts"

export interface OptimizeOptions extends CandidateOptions {
  readonly data?: string
  readonly maxFalseBlock: number
  readonly maxMiss?: number
  readonly alpha: number
  readonly limit?: number
  readonly html?: string
  /** Replace another certificate in `out`. */
  readonly force?: boolean
  /** True: those of `THRESHOLDS`, and the endpoint has to give log-probabilities. False: none. Absent: if the endpoint gives them. */
  readonly thresholds?: readonly number[] | boolean
}

/** Runs `assay guard optimize`: certifies the candidate that keeps the limits. Returns 0, 1 or 3 as gates do. */
export async function optimize(context: Context, options: OptimizeOptions): Promise<ExitCode> {
  context.keepHeapSmall()
  const { cwd, signal, now } = context
  const {
    data = EXAMPLE_SET,
    limit,
    out,
    alpha,
    seed,
    maxFalseBlock,
    maxMiss,
    parallel: parallelism,
    force: overwrite = false,
  } = options
  const folder = resolve(cwd, out)
  const line = createProgressLine(context, formatCalibrationProgress)
  const openRows = () => labelledRows(context, data, limit)
  await checkReportFile(context, "--html", { name: options.html, format: "HTML" })
  await checkExisting(context, folder, { ...options, overwrite }, { data, seed })
  await makeFolder(folder)
  const journal = await openFileJournal(join(folder, "journal.jsonl"))
  let guards: readonly OpenedCandidate[] = []
  try {
    guards = await openCandidates(context, options, { openRows, journal, thresholds: thresholdsOf(options) })
    const candidates = candidatesOf(guards, options)
    const certificate = await optimizeJudges({
      candidates,
      requiresRisks: isRequired(options),
      rows: openRows(),
      data,
      limit,
      assay: readVersion(),
      maxFalseBlock,
      maxMiss,
      alpha,
      seed,
      parallelism,
      journal,
      signal,
      now,
      onProgress: (progress) => line.show(progress),
    })
    line.clear()
    const files = [
      ...(await writeCertificate(context, folder, certificate, { guards, candidates, overwrite })),
      ...(await writePage(context, options.html, certificate)),
    ]
    await print(context, options, certificate, () => {
      const written = files.map((file) => `wrote ${shownPath(context, file)}\n`).join("")
      return `${formatCertificate(certificate)}${formatWithoutThresholds(certificate, candidates)}${written}`
    })
    return EXIT_OF_VERDICT[certificate.verdict]
  } finally {
    line.clear()
    await journal.close()
    await Promise.all(guards.map((guard) => guard.close()))
  }
}

/** Returns whether thresholds were asked for, so that none may be left out silently. */
function isRequired({ thresholds = false }: OptimizeOptions): boolean {
  return thresholds !== false
}

function thresholdsOf({ thresholds = true }: OptimizeOptions): readonly number[] {
  return typeof thresholds === "boolean" ? (thresholds ? THRESHOLDS : []) : thresholds
}

/** Returns the configurations to certify: as they are, and with thresholds. @throws `bad_usage` if a named threshold can't be tried */
function candidatesOf(guards: readonly OpenedCandidate[], options: OptimizeOptions): readonly ConfiguredCandidate[] {
  const candidates = guards.map((guard) => guardCandidates(guard, thresholdsOf(options)))
  const alone = isRequired(options) ? candidates.find(({ length }) => length === 1)?.[0] : undefined
  if (alone === undefined) return candidates.flat()
  const message = `'${printable(alone.name)}' can't have a threshold: its input needs exactly one rail with one judge that this machine asks. Leave out --thresholds.`
  throw new AssayError("bad_usage", message)
}
