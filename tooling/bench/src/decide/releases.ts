import { releasePolicy } from "@assay/results"
import type { PolicyGate } from "@assay/evaluation-files"
import type { ReleaseReport } from "@assay/schemas"
import { formatCount, type Measurement } from "../bench.ts"
import type { GuaranteeSection } from "./guarantee-section.ts"
import { jobOf } from "./release-job.ts"
import { seededRandom, type Draw } from "./seeded-random.ts"

const POLICIES = 300
const EVALUATIONS = 5
const ALPHA = 0.05
/** Three standard errors of a share of alpha in all policies. */
const NOISE = 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / POLICIES)

type ReleaseEvaluation = Parameters<typeof releasePolicy.decide>[0][number]

/** The scores of a row in the older and the new results, by repeat. */
interface DrawnRow {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

interface Setting {
  readonly name: string
  readonly rows: number
  readonly gates: readonly PolicyGate[]
  readonly draw: (random: Draw) => DrawnRow
  /** Whether a report has a wrong verdict. */
  readonly isWrong: (report: ReleaseReport) => boolean
}

const limitAt = (value: number): PolicyGate => ({
  kind: "limit",
  name: "right",
  op: ">=",
  value,
  isCorrected: false,
  isOnTheseRows: false,
  location: "",
})
const comparison = (margin: number): PolicyGate => ({ kind: "comparison", name: "right", margin, location: "" })
const isDecided = ({ evaluations }: ReleaseReport) =>
  evaluations.some(({ gates }) => gates.some(({ verdict }) => verdict !== "INCONCLUSIVE"))

/** The new version is right in 0.8 of rows, which is the limit, and 0.1 worse, which is the margin. */
const AT_THE_LIMITS = {
  gates: [limitAt(0.8), comparison(0.1)],
  draw(random: Draw): DrawnRow {
    const at = random()
    return at < 0.15
      ? { before: [1], after: [0] }
      : at < 0.2
        ? { before: [0], after: [1] }
        : random() < 15 / 16
          ? { before: [1], after: [1] }
          : { before: [0], after: [0] }
  },
  isWrong: isDecided,
}

/** The version has not changed, and was asked three times before: the answers to a part of the rows are random. */
const unchanged = (random: Draw, share: number): DrawnRow => {
  const rate = random() < share ? 0.2 + 0.6 * random() : random() < 0.8 ? 0.99 : 0.01
  const ask = () => Array.from({ length: 3 }, () => Number(random() < rate))
  return { before: ask(), after: ask() }
}
const isFail = ({ verdict }: ReleaseReport) => verdict === "FAIL"

const SETTINGS: readonly Setting[] = [
  { name: "30 rows: how often any gate has a verdict", rows: 30, ...AT_THE_LIMITS },
  { name: "100 rows: how often any gate has a verdict", rows: 100, ...AT_THE_LIMITS },
  ...[0.1, 0.5].map((share) => ({
    name: `the same version twice, asked three times, ${100 * share} % of 50 rows have random answers: how often it is FAIL`,
    rows: 50,
    gates: [comparison(0)],
    draw: (random: Draw) => unchanged(random, share),
    isWrong: isFail,
  })),
]

async function simulate({ name, rows, gates, draw, isWrong }: Setting, seed: number): Promise<Measurement> {
  const random = seededRandom(seed)
  let wrong = 0
  for (let policy = 0; policy < POLICIES; policy++) {
    const evaluations = Array.from({ length: EVALUATIONS }, (_, at): ReleaseEvaluation => {
      const drawn = Array.from({ length: rows }, () => draw(random))
      return {
        policy: { name: `${at}`, tier: at === 0 ? "critical" : "supporting", results: "new", against: "old", gates },
        results: jobOf(
          "new",
          drawn.map(({ after }) => after),
        ),
        against: jobOf(
          "old",
          drawn.map(({ before }) => before),
        ),
      }
    })
    if (isWrong(await releasePolicy.decide(evaluations, { alpha: ALPHA }))) wrong++
  }
  const share = wrong / POLICIES
  return {
    work: `release, ${name}`,
    does: name,
    value: `${share.toFixed(3)} (${formatCount(POLICIES)} policies)`,
    bar: `≤ ${ALPHA} (within ${NOISE.toFixed(3)} by chance)`,
    passed: share <= ALPHA + NOISE,
  }
}

export const releases: GuaranteeSection = {
  title: "Releases",
  method: `Policies with ${EVALUATIONS} evaluations that block ([releases.md](../guides/releases.md)). In the first lines, each has a gate whose limit is the true mean and a comparison whose margin is the true loss, so that any
verdict but INCONCLUSIVE is wrong. In the others, nothing has changed: a comparison with the older results at margin 0 is wrong if it is FAIL, also with rows in quarantine.`,
  async simulate() {
    const measurements: Measurement[] = []
    for (const [at, setting] of SETTINGS.entries()) measurements.push(await simulate(setting, 4001 + at))
    return measurements
  },
}
