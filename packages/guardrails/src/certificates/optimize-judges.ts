import { createHash } from "node:crypto"
import { certifyCandidates, rowsToCertify } from "@assay/metrics"
import { runCalibration, type CalibrationOptions, type CalibrationRun } from "../calibration/asking/run-calibration.ts"
import type { LabelledPrompt } from "../calibration/prompts/labelled-prompt.ts"
import type { Certificate } from "@assay/schemas/certificates"
import { countFaults, countWithoutVerdict } from "./count-faults.ts"
import { splitRowOf, splitRows, TUNING_SHARE, type SplitRow } from "./split-rows.ts"

export interface OptimizeOptions extends Omit<CalibrationOptions, "repeat"> {
  /** What reports call the rows. */
  readonly data: string
  /** Maximum number of rows that `rows` has. Default: it has all rows of the data. */
  readonly limit?: number | undefined
  /** The highest allowed share of safe rows that do not pass. */
  readonly maxFalseBlock: number
  /** The highest allowed share of unsafe rows that are not blocked. Default: any. */
  readonly maxMiss?: number | undefined
  /** How often a certificate may be wrong. Default 0.05. */
  readonly alpha?: number | undefined
  /** Decides which rows order the candidates. Default 1. */
  readonly seed?: number | undefined
  /** The version of the program. */
  readonly assay: string
}

/**
 * Asks each candidate about each row, and certifies those whose rates keep the limits with a confidence of 1 − alpha: the tuning rows order them, the
 * others test them in this order (`certifyCandidates`). Of the certified ones it chooses the one with the fewest misses, which the guarantee allows.
 * @throws what `runCalibration` throws
 */
export async function optimizeJudges(options: OptimizeOptions): Promise<Certificate> {
  const { candidates, data, maxFalseBlock, maxMiss, alpha = 0.05, seed = 1, assay } = options
  const split: SplitRow[] = []
  const content = createHash("sha256")
  async function* noted(): AsyncGenerator<LabelledPrompt, void, undefined> {
    for await (const row of options.rows) {
      split.push(splitRowOf(row, seed))
      content.update(`${JSON.stringify([row.prompt, row.response ?? null, row.label])}\n`)
      yield row
    }
  }
  const run = await runCalibration({ ...options, repeat: 1, rows: noted() })
  const isTuning = splitRows(split)
  const faults = candidates.map((_candidate, judge) => ({
    tuning: countFaults(run, judge, (row) => isTuning[row] === true),
    certification: countFaults(run, judge, (row) => isTuning[row] === false),
    ...countWithoutVerdict(run, judge),
  }))
  const limits = [maxFalseBlock, ...(maxMiss === undefined ? [] : [maxMiss])]
  const risksOf = ({ false_block, miss }: (typeof faults)[number]["tuning"]) =>
    maxMiss === undefined ? [false_block] : [false_block, miss]
  const { verdict, tests } = certifyCandidates(
    faults.map(({ tuning, certification }) => ({ tuning: risksOf(tuning), certification: risksOf(certification) })),
    { limits, alpha },
  )
  const tested = tests.flatMap(({ candidate, result, p }) => {
    const [judge, counts] = [candidates[candidate], faults[candidate]]
    return judge === undefined || counts === undefined
      ? []
      : [{ name: judge.name, digest: judge.digest, result, p, ...counts }]
  })
  return {
    kind: "assay-guard-certificate",
    version: 1,
    assay,
    verdict,
    chosen: chooseOf(tested)?.name ?? null,
    limits: { false_block: maxFalseBlock, miss: maxMiss ?? null },
    alpha,
    data,
    limit: options.limit ?? null,
    data_digest: content.digest("hex"),
    answers_digest: answersDigest(
      run,
      tests.map(({ candidate }) => candidate),
    ),
    seed,
    tuning_share: TUNING_SHARE,
    candidates: tested,
    more_safe_rows: verdict === "PASS" ? null : moreSafeRows(tested[0], maxFalseBlock, alpha),
  }
}

type Tested = Certificate["candidates"][number]

/** Returns the certified candidate with the fewest misses; of equal ones, the one with the fewest false blocks. */
function chooseOf(candidates: readonly Tested[]): Tested | undefined {
  const count = (of: Tested, risk: "miss" | "false_block") => of.tuning[risk].count + of.certification[risk].count
  return candidates
    .filter(({ result }) => result === "certified")
    .toSorted((a, b) => count(a, "miss") - count(b, "miss") || count(a, "false_block") - count(b, "false_block"))[0]
}

function moreSafeRows(nearest: Tested | undefined, limit: number, alpha: number): number | null {
  if (nearest === undefined) return null
  const { count, n } = nearest.certification.false_block
  const wanted = n === 0 ? Infinity : rowsToCertify(limit, count / n, alpha)
  // Only a part of new rows certifies.
  return Number.isFinite(wanted) && wanted > n ? Math.ceil((wanted - n) / (1 - TUNING_SHARE)) : null
}

/** @param order the candidates in the order of their tests, so that it does not depend on the order in which they were named */
function answersDigest({ rows, judges }: CalibrationRun, order: readonly number[]): string {
  const digest = createHash("sha256")
  for (let row = 0; row < rows.length; row++) {
    digest.update(`${JSON.stringify(order.map((candidate) => judges[candidate]?.outcome(row) ?? null))}\n`)
  }
  return digest.digest("hex")
}
