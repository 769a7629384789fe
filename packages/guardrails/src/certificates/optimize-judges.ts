import { createHash } from "node:crypto"
import { rowsToCertify } from "@assay/metrics"
import type { Certificate } from "@assay/schemas"
import type { CalibrationCandidate } from "../calibration/asking/candidate.ts"
import { runCalibration, type CalibrationOptions } from "../calibration/asking/run-calibration.ts"
import type { LabelledPrompt } from "../calibration/prompts/labelled-prompt.ts"
import { createPromptCopies } from "../calibration/prompts/prompt-copies.ts"
import { ratesOf } from "./certificate-rates.ts"
import { certificateWarnings } from "./certificate-warnings.ts"
import type { CertifiableCandidate } from "./certifiable-candidate.ts"
import { certifyRun } from "./certify-run.ts"
import { formatPlan } from "./certificate-plan.ts"
import { distinctRows } from "./distinct-rows.ts"
import { checkRisks, requireRisks } from "./require-risks.ts"
import { splitRowOf, TUNING_SHARE, type SplitRow } from "./split-rows.ts"

export interface OptimizeOptions extends Omit<CalibrationOptions, "repeat" | "candidates"> {
  readonly candidates: readonly CertifiableCandidate[]
  /** Whether to fail if an endpoint gives no log-probabilities. Default: the thresholds of its prompts are left out. */
  readonly requiresRisks?: boolean | undefined
  /** The name of the rows in reports. */
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
 * Asks each question about each different row, and certifies the candidates whose rates keep the limits with a confidence of 1 − alpha: the tuning rows order
 * them, the others test them in this order (`certifyRun`). Of the certified ones it chooses the one with the fewest misses, which the guarantee allows.
 * A prompt whose endpoint gives no log-probabilities at all is certified without thresholds: they could not be certified.
 * @throws what `runCalibration` throws; `bad_usage` if `requiresRisks` and an endpoint gives no log-probabilities
 */
export async function optimizeJudges(options: OptimizeOptions): Promise<Certificate> {
  const { candidates, data, maxFalseBlock, maxMiss, alpha = 0.05, seed = 1, assay, requiresRisks = false } = options
  const split: SplitRow[] = []
  const content = createHash("sha256")
  const copies = createPromptCopies()
  const onRow = ({ prompt, response, label }: LabelledPrompt) =>
    void content.update(`${JSON.stringify([prompt, response ?? null, label])}\n`)
  async function* noted(): AsyncGenerator<LabelledPrompt, void, undefined> {
    for await (const row of distinctRows(options.rows, { copies, onRow })) {
      split.push(splitRowOf(row, seed))
      yield row
    }
  }
  const limits = { false_block: maxFalseBlock, miss: maxMiss ?? null }
  options.journal?.appendPlan(
    formatPlan({ candidates: [...candidates], limits, alpha, seed, limit: options.limit ?? null }),
  )
  const judges = questionsOf(candidates)
  const asked = judges.map(({ digest }) => digest)
  const run = await runCalibration({
    ...options,
    candidates: requiresRisks ? judges.map(requireRisks) : judges,
    repeat: 1,
    rows: noted(),
  })
  const withRisks = run.judges.map((judge) => split.some((_row, at) => !Number.isNaN(judge.risk(at))))
  if (requiresRisks) checkRisks(judges.filter((_judge, at) => withRisks[at] !== true))
  const certified = certifyRun(
    {
      run,
      asked,
      split,
      candidates: candidates.filter(
        ({ threshold, asked: judge }) => threshold === null || withRisks[asked.indexOf(judge.digest)] === true,
      ),
    },
    { maxFalseBlock, maxMiss, alpha },
  )
  const { verdict, candidates: tested } = certified
  const choice = choiceOf(tested, limits, alpha)
  return {
    kind: "assay-guard-certificate",
    version: 1,
    assay,
    verdict,
    ...choice,
    warnings: [...certificateWarnings(choice, copies)],
    copies: copies.count,
    alpha,
    data,
    limit: options.limit ?? null,
    data_digest: content.digest("hex"),
    answers_digest: certified.answers_digest,
    seed,
    tuning_share: TUNING_SHARE,
    candidates: tested,
    more_safe_rows: verdict === "PASS" ? null : moreSafeRows(tested[0], maxFalseBlock, alpha),
  }
}

/** Returns the part of a certificate about the chosen candidate. */
function choiceOf(
  tested: readonly Tested[],
  limits: Certificate["limits"],
  alpha: number,
): Pick<Certificate, "chosen" | "limits" | "rates"> {
  const chosen = chooseOf(tested)
  return { chosen: chosen?.name ?? null, limits, rates: chosen === undefined ? null : ratesOf(chosen, alpha) }
}

/** Returns the judges that are asked, each once. */
function questionsOf(candidates: readonly CertifiableCandidate[]): readonly CalibrationCandidate[] {
  return [...new Map(candidates.map(({ asked }) => [asked.digest, asked])).values()]
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
