import { createSequentialGate } from "@assay/metrics"
import { releasePolicy } from "@assay/results"
import type { JobGateState, ReleaseReport } from "@assay/schemas"
import type { PolicyEvaluation } from "@assay/evaluation-files"
import { formatCount, type Measurement } from "../bench.ts"
import type { GuaranteeSection } from "./guarantee-section.ts"
import { jobOf } from "./release-job.ts"
import { seededRandom, type Draw } from "./seeded-random.ts"

const POLICIES = 1000
const ALPHA = 0.05
const LIMIT = 0.8
const ROWS = 500
/** Three standard errors of a share of alpha in all policies. */
const NOISE = 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / POLICIES)
const AT_THE_LIMIT = Array.from({ length: 5 }, () => LIMIT)
const BESIDE = [LIMIT - 0.01, LIMIT + 0.01, LIMIT - 0.01, LIMIT + 0.01, LIMIT - 0.01]

type ReleaseEvaluation = Parameters<typeof releasePolicy.decide>[0][number]

const policyOf = (at: number): PolicyEvaluation => ({
  name: `${at}`,
  tier: at === 0 ? "critical" : "supporting",
  results: "new",
  gates: [
    { kind: "limit", name: "right", op: ">=", value: LIMIT, isCorrected: false, isOnTheseRows: false, location: "" },
  ],
})

interface SimulatedRun {
  readonly report: ReleaseReport
  readonly asked: number
}

/** Asks the evaluations of a policy one after the other, as `assay release run` does. */
async function run(drawn: readonly (readonly number[])[], isWhole = false): Promise<SimulatedRun> {
  const opened: ReleaseEvaluation[] = []
  let asked = 0
  let isBlocked = false
  for (const [at, values] of drawn.entries()) {
    const policy = policyOf(at)
    if (isBlocked) {
      opened.push({ policy, results: "not asked" })
      continue
    }
    const rows = isWhole ? { values } : askUntilDecided(values, ALPHA / drawn.length)
    asked += rows.values.length
    const job = jobOf(
      "new",
      rows.values.map((value) => [value]),
    )
    const one = { policy, results: job, decided: "state" in rows ? [rows.state] : [] }
    opened.push(one)
    isBlocked =
      !isWhole && (await releasePolicy.decide([one], { alpha: ALPHA, others: drawn.length - 1 })).verdict === "FAIL"
  }
  return { report: await releasePolicy.decide(opened, { alpha: ALPHA }), asked }
}

function askUntilDecided(values: readonly number[], alpha: number) {
  const gate = createSequentialGate({ limit: { atLeast: LIMIT }, alpha })
  for (const value of values) {
    gate.add(value)
    if (gate.decidedAfter !== null) break
  }
  const { verdict, decidedAfter: decided_after, count } = gate
  const own = { name: "qa.right.right", limit: `>= ${LIMIT}`, value: gate.mean(), low: null, high: null }
  const state: JobGateState = { ...own, verdict, stop: "early", alpha, decided_after }
  return { values: values.slice(0, count), state }
}

function draw(means: readonly number[], rows: number, random: Draw): readonly (readonly number[])[] {
  return means.map((mean) => Array.from({ length: rows }, () => Number(random() < mean)))
}

const verdictsOf = ({ evaluations }: ReleaseReport) =>
  evaluations.map(({ gates }) => gates.find(({ verdict }) => verdict !== "INCONCLUSIVE")?.verdict)

/** Measures how often any gate has a wrong verdict. At the limit, each verdict is wrong. */
async function errors(means: readonly number[], rows: number, seed: number): Promise<Measurement> {
  const random = seededRandom(seed)
  let wrong = 0
  for (let policy = 0; policy < POLICIES; policy++) {
    const verdicts = verdictsOf((await run(draw(means, rows, random))).report)
    const isWrong = verdicts.some((verdict, at) => {
      const mean = means[at] ?? LIMIT
      return verdict !== undefined && (mean === LIMIT || (verdict === "PASS") !== mean > LIMIT)
    })
    if (isWrong) wrong++
  }
  const share = wrong / POLICIES
  const where = means === AT_THE_LIMIT ? "the means are the limit" : "the means are 1 point beside the limit"
  return {
    work: `release run, ${where}, ${rows} rows`,
    does: `${rows} rows, ${where}: how often any gate has a wrong verdict`,
    value: `${share.toFixed(3)} (${formatCount(POLICIES)} policies)`,
    bar: `≤ ${ALPHA} (within ${NOISE.toFixed(3)} by chance)`,
    passed: share <= ALPHA + NOISE,
  }
}

interface Saving {
  readonly name: string
  readonly means: readonly number[]
  readonly verdict: ReleaseReport["verdict"]
  /** The share of calls that has to be saved. Undefined: nothing is promised. */
  readonly promised?: number
}

const SAVINGS: readonly Saving[] = [
  { name: "all means are 0.95", means: [0.95, 0.95, 0.95, 0.95, 0.95], verdict: "PASS", promised: 0.7 },
  { name: "all means are 0.9", means: [0.9, 0.9, 0.9, 0.9, 0.9], verdict: "PASS" },
  { name: "all means are 0.85", means: [0.85, 0.85, 0.85, 0.85, 0.85], verdict: "PASS" },
  {
    name: "the first mean is 0.65, the others are 0.9",
    means: [0.65, 0.9, 0.9, 0.9, 0.9],
    verdict: "FAIL",
    promised: 0.8,
  },
  { name: "the last mean is 0.65, the others are 0.9", means: [0.9, 0.9, 0.9, 0.9, 0.65], verdict: "FAIL" },
]

/** Measures the calls that are saved, and how often the verdict is that of the true means. */
async function savings(saving: Saving, seed: number): Promise<Measurement> {
  const { name, means, verdict, promised } = saving
  const random = seededRandom(seed)
  const found = { asked: 0, early: 0, whole: 0 }
  for (let policy = 0; policy < POLICIES; policy++) {
    const drawn = draw(means, ROWS, random)
    const { report, asked } = await run(drawn)
    found.asked += asked
    if (report.verdict === verdict) found.early++
    if ((await run(drawn, true)).report.verdict === verdict) found.whole++
  }
  const saved = 1 - found.asked / (POLICIES * means.length * ROWS)
  const [early, whole] = [found.early, found.whole].map((count) => (count / POLICIES).toFixed(3))
  return {
    work: `release run, saved, ${name}`,
    does: `${ROWS} rows, ${name}: the share of calls saved (how often the verdict is ${verdict}, and how often with all rows)`,
    value: `${saved.toFixed(2)} (${early}, ${whole})`,
    bar: promised === undefined ? "-" : `≥ ${promised}`,
    ...(promised === undefined ? {} : { passed: saved >= promised }),
  }
}

export const releaseRuns: GuaranteeSection = {
  title: "Releases that end early",
  method: `\`assay release run\` over policies with ${AT_THE_LIMIT.length} evaluations that block, each with a limit of ${LIMIT} and rows drawn at random ([releases.md](../guides/releases.md#asking-only-what-decides)). Each limit is decided at alpha / ${AT_THE_LIMIT.length}, and after a FAIL nothing
more is asked. The last rows show what it costs: near the limit, asking all rows decides more often than looking after each of them.`,
  async simulate() {
    const measurements: Measurement[] = []
    for (const [at, means] of [AT_THE_LIMIT, BESIDE].entries()) {
      for (const rows of [30, 100, ROWS]) measurements.push(await errors(means, rows, 5001 + 10 * at + rows))
    }
    for (const [at, saving] of SAVINGS.entries()) measurements.push(await savings(saving, 6001 + at))
    return measurements
  },
}
