import { correctMean, type LabelledScore } from "@assay/metrics"
import type { Measurement } from "../bench.ts"
import { seededRandom, type Draw } from "./seeded-random.ts"

const DOCUMENTS = 50
const ROWS = 10
const SIMULATIONS = 500
const DRAWS = 1000
const NOISE = 3 * Math.sqrt((0.95 * 0.05) / SIMULATIONS)
/** The mean of the larger of two random numbers. */
const TRUTH = 2 / 3

interface ClusteredRow extends LabelledScore {
  readonly cluster: number
}

/** Draws documents whose shares of good rows differ. */
function drawDocuments(judge: (label: number, draw: Draw) => number, draw: Draw): readonly ClusteredRow[] {
  return Array.from({ length: DOCUMENTS }, (_, cluster) => {
    const rate = Math.max(draw(), draw())
    return Array.from({ length: ROWS }, () => {
      const label = Number(draw() < rate)
      return { label, score: judge(label, draw), cluster }
    })
  }).flat()
}

/** Counts how often the interval contains the mean of all documents, for each number of labels. */
export function coverageOfClusters(
  labels: readonly number[],
  judge: (label: number, draw: Draw) => number,
): readonly Measurement[] {
  return labels.map((count) => {
    const draw = seededRandom(900 + count)
    let held = 0
    for (let at = 0; at < SIMULATIONS; at++) {
      const rows = drawDocuments(judge, draw)
      const clusters = new Map<number, { rows: number; scores: number }>()
      for (const { cluster, score } of rows) {
        const known = clusters.get(cluster) ?? { rows: 0, scores: 0 }
        clusters.set(cluster, { rows: known.rows + 1, scores: known.scores + score })
      }
      const order = rows.map((row) => ({ row, key: draw() })).toSorted((a, b) => a.key - b.key)
      const labelled = order.slice(0, count).map(({ row }) => row)
      const mean = rows.reduce((sum, { score }) => sum + score, 0) / rows.length
      const { interval } = correctMean(labelled, { rows: rows.length, mean, clusters }, { draws: DRAWS, random: draw })
      if (interval !== null && interval.low <= TRUTH && TRUTH <= interval.high) held++
    }
    const setup = `${DOCUMENTS} documents of ${ROWS} rows, a fair judge (0.92 and 0.75), ${count} labels`
    return {
      work: `corrected mean: ${setup}`,
      does: `${setup}: how often the interval of 95 % contains the mean of all documents`,
      value: (held / SIMULATIONS).toFixed(3),
      bar: "≥ 0.95 (within 0.03 by chance)",
      passed: held / SIMULATIONS >= 0.95 - NOISE,
    }
  })
}
