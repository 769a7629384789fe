import { certifyCandidates, type CertificationCandidate } from "@assay/metrics"
import { forComparison, formatCount, type Measurement } from "../bench.ts"
import type { GuaranteeSection } from "./guarantee-section.ts"
import { seededRandom, type Draw } from "./seeded-random.ts"

const DRAWS = 10_000
const ROWS = 300
const ALPHA = 0.05

interface Setting {
  readonly name: string
  /** The true rates of each risk, one for each candidate. */
  readonly rates: readonly (readonly number[])[]
  readonly limits: readonly number[]
  /** How often a candidate has to be certified, to how often Bonferroni's correction certifies one. */
  readonly gain?: number
}

const SETTINGS: readonly Setting[] = [
  { name: "ten candidates at 5.3 %, limit 5 %", rates: [Array<number>(10).fill(0.053)], limits: [0.05] },
  {
    name: "one at 2 %, nine at 6 %, one at 30 %, limit 5 %",
    rates: [[0.3, 0.02, ...Array<number>(9).fill(0.06)]],
    limits: [0.05],
    gain: 1.5,
  },
  {
    name: "seven candidates, each of which breaks a limit of 5 % or one of 10 %",
    rates: [
      [0.055, 0.01, 0.055, 0.01, 0.055, 0.01, 0.02],
      [0.01, 0.11, 0.01, 0.11, 0.02, 0.11, 0.12],
    ],
    limits: [0.05, 0.1],
  },
]

/** Counts the faults of candidates on the same rows, of which hard ones are hard for most candidates. */
function countFaults(rates: readonly number[], draw: Draw): readonly { readonly count: number; readonly n: number }[] {
  const counts = rates.map(() => 0)
  for (let row = 0; row < ROWS; row++) {
    const difficulty = draw()
    for (const [at, rate] of rates.entries()) {
      if ((draw() < 0.7 ? difficulty : draw()) < rate) counts[at] = (counts[at] ?? 0) + 1
    }
  }
  return counts.map((count) => ({ count, n: ROWS }))
}

function drawCandidates(rates: Setting["rates"], draw: Draw): readonly CertificationCandidate[] {
  const ofRisks = rates.map((ofRisk) => [countFaults(ofRisk, draw), countFaults(ofRisk, draw)] as const)
  return (rates[0] ?? []).map((_, at) => ({
    tuning: ofRisks.flatMap(([tuning]) => tuning[at] ?? []),
    certification: ofRisks.flatMap(([, certification]) => certification[at] ?? []),
  }))
}

function simulate({ name, rates, limits, gain }: Setting, seed: number): readonly Measurement[] {
  const draw = seededRandom(seed)
  const isAbove = (candidate: number) => rates.some((ofRisk, risk) => (ofRisk[candidate] ?? 0) > (limits[risk] ?? 0))
  const seen = { broken: 0, separately: 0, certified: 0, bonferroni: 0 }
  for (let at = 0; at < DRAWS; at++) {
    const { tests, verdict } = certifyCandidates(drawCandidates(rates, draw), { limits, alpha: ALPHA })
    if (tests.some(({ candidate, result }) => result === "certified" && isAbove(candidate))) seen.broken++
    if (tests.some(({ candidate, p }) => p <= ALPHA && isAbove(candidate))) seen.separately++
    if (tests.some(({ p }) => p <= ALPHA / tests.length)) seen.bonferroni++
    if (verdict === "PASS") seen.certified++
  }
  const shareOf = (count: number) => (count / DRAWS).toFixed(4)
  const broken = seen.broken / DRAWS
  const certified = {
    work: `certified of ${name}`,
    does: `${name}: how often one is certified`,
  }
  const value = `${shareOf(seen.certified)} (${shareOf(seen.bonferroni)} by Bonferroni's correction)`
  return [
    {
      work: `certified of ${name}: limit broken`,
      does: `${name}: how often one above a limit is certified`,
      value: `${shareOf(seen.broken)} (${shareOf(seen.separately)} by separate tests)`,
      bar: `≤ ${ALPHA}`,
      passed: broken <= ALPHA,
    },
    gain === undefined
      ? forComparison(certified, value)
      : { ...certified, value, bar: `≥ ${gain} times Bonferroni's`, passed: seen.certified >= gain * seen.bonferroni },
  ]
}

export const splits: GuaranteeSection = {
  title: "The best of several candidates",
  method: `Of several candidates, such as prompts of a judge, those are certified whose rates of faults stay within their limits at a confidence of
95 % ([certificates.md](../guides/certificates.md)). Here ${formatCount(DRAWS)} draws of ${ROWS} rows that order the candidates, and ${ROWS} others that certify.`,
  simulate: async () => SETTINGS.flatMap((setting, at) => simulate(setting, 51 + at)),
}
