import { comparePaired } from "@assay/metrics"
import { formatCount, type Measurement } from "../bench.ts"
import type { GuaranteeSection } from "./guarantee-section.ts"
import { seededRandom, type Draw } from "./seeded-random.ts"

const SIMULATIONS = 2000
const SIZES = [10, 20, 50, 200] as const
/** One end of an interval of 95 %. */
const WRONG = 0.025
/** Two standard errors of that share in all simulations. */
const NOISE = 2 * Math.sqrt((WRONG * (1 - WRONG)) / SIMULATIONS)
/** Fewer signs than a comparison draws by itself: enough for a limit of 0.05. */
const RESAMPLES = 400

interface Change {
  readonly name: string
  /** How much worse the second job truly is. The comparison gets it as its margin. */
  readonly margin: number
  /** Draws the values of a row in both jobs, from 0 to 1. */
  readonly draw: (random: Draw) => readonly [before: number, after: number]
}

/** Rows that are right or wrong: with a probability of `worse` only the first job is right, with `better` only the second. */
const rates = (worse: number, better: number): Change => ({
  name: `right or wrong: ${formatPercent(worse)} of rows got worse, ${formatPercent(better)} better`,
  margin: worse - better,
  draw(random) {
    const at = random()
    return at < worse ? [1, 0] : at < worse + better ? [0, 1] : random() < 0.8 ? [1, 1] : [0, 0]
  },
})

const CHANGES: readonly Change[] = [
  rates(0.1, 0.1),
  rates(0.3, 0.3),
  rates(0.02, 0),
  rates(0.05, 0),
  rates(0.15, 0.05),
  {
    name: "grades in five steps: a tenth of rows got a step worse, as many a step better",
    margin: 0,
    draw(random) {
      const at = random()
      const grade = 0.25 * (1 + Math.floor(3 * random()))
      return [grade, at < 0.1 ? grade - 0.25 : at < 0.2 ? grade + 0.25 : grade]
    },
  },
  {
    name: "scores near 0.9 that moved a little, and one row in ten lost all",
    margin: 0.09,
    draw: (random) => [0.9, random() < 0.1 ? 0 : 0.89 + 0.02 * random()],
  },
  {
    name: "scores anywhere from 0 to 1 that have nothing to do with each other",
    margin: 0,
    draw: (random) => [random(), random()],
  },
]

function formatPercent(share: number): string {
  return `${Math.round(100 * share)} %`
}

function countWrong({ name, margin, draw }: Change, seed: number): readonly Measurement[] {
  const counts = SIZES.map((n, at) => {
    const random = seededRandom(seed + at)
    const wrong = { FAIL: 0, PASS: 0, INCONCLUSIVE: 0 }
    for (let simulation = 0; simulation < SIMULATIONS; simulation++) {
      const pairs = Array.from({ length: n }, () => draw(random))
      const [before, after] = [pairs.map(([value]) => value), pairs.map(([, value]) => value)]
      const found = comparePaired(before, after, { margin, range: [0, 1], resamples: RESAMPLES })
      if (found !== null) wrong[found.verdict]++
    }
    return wrong
  })
  return (["FAIL", "PASS"] as const).map((verdict) => {
    const shares = counts.map((count) => count[verdict] / SIMULATIONS)
    return {
      work: `comparison, ${name}: ${verdict}`,
      does: `${name}, margin ${margin.toFixed(2)}: ${verdict}`,
      value: shares.map((share) => share.toFixed(3)).join(", "),
      bar: `≤ ${WRONG} (within ${NOISE.toFixed(3)} by chance)`,
      passed: shares.every((share) => share <= WRONG + NOISE),
    }
  })
}

export const comparisons: GuaranteeSection = {
  title: "Comparisons of two jobs",
  method: `How often a comparison of ${SIZES.join(", ")} rows, in this order, decides although the second job is worse by exactly the margin, so that either verdict is wrong as often as
right ([baselines.md](../guides/baselines.md)). ${formatCount(SIMULATIONS)} simulations each. Rows that are all equal in both jobs count as INCONCLUSIVE here; \`assay eval compare\` calls them PASS, because it speaks of
these rows.`,
  simulate: () => Promise.resolve(CHANGES.flatMap((change, at) => countWrong(change, 901 + 10 * at))),
}
