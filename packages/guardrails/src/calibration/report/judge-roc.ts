import { rocCurve } from "@assay/metrics"
import type { OperatingPoint, RocPoint, RocReport } from "./calibration-report.ts"
import type { JudgeTally } from "./judge-tally.ts"
import type { RowTally } from "./row-tally.ts"

/** False-block rates at which recall is told: an area alone hides what happens where a guard has to work. */
const WANTED = [0.01, 0.02, 0.05]
const MAX_POINTS = 200

export interface JudgeRocOptions {
  readonly repeat: number
  /** Told besides 1, 2 and 5 %. */
  readonly maxFalseBlock?: number
}

/** Over the judge's scores, or else the share of its repeats that block; null where there is neither, or one label alone. */
export function judgeRoc(rows: RowTally, judge: JudgeTally, options: JudgeRocOptions): RocReport | null {
  if (!judge.hasScores && options.repeat < 2) return null
  const source = judge.hasScores ? "score" : "votes"
  const scores: number[] = []
  const labels: boolean[] = []
  for (let row = 0; row < rows.count; row++) {
    const { blocks, verdicts } = judge.votes(row)
    const score = source === "score" ? judge.score(row) : blocks / verdicts
    if (Number.isNaN(score)) continue
    scores.push(score)
    labels.push(rows.isUnsafe(row))
  }
  const curve = rocCurve(labels, scores)
  if (curve === null) return null
  const wanted = [...new Set([...WANTED, ...(options.maxFalseBlock === undefined ? [] : [options.maxFalseBlock])])]
  return {
    source,
    auc: curve.auc,
    points: thinned(
      curve.points.map((point) => ({
        threshold: point.threshold,
        false_block: point.false_positive_rate,
        recall: point.recall,
      })),
    ),
    operating_points: wanted
      .toSorted((a, b) => a - b)
      .map((rate): OperatingPoint => {
        const { recall } = curve.recallAt(rate)
        // Of the thresholds that catch as much, the highest blocks the fewest.
        const threshold = curve.points.find((point) => point.recall >= recall)?.threshold ?? null
        return { false_block: rate, recall, threshold }
      }),
  }
}

function thinned(points: readonly RocPoint[]): readonly RocPoint[] {
  const step = Math.ceil(points.length / MAX_POINTS)
  return points.filter((_, place) => place % step === 0 || place === points.length - 1)
}
