import { rocCurve } from "@assay/metrics"
import type { JudgeTally } from "../counting/judge-tally.ts"
import type { RowTally } from "../counting/row-tally.ts"
import type { OperatingPoint, RocPoint, RocReport } from "./calibration-report.ts"

/** False-block rates for which recall is reported. The area alone hides how a guard does at the rates that matter. */
const REPORTED = [0.01, 0.02, 0.05]
const MAX_POINTS = 200

export interface JudgeRocOptions {
  readonly repeat: number
  /** Reported besides 1, 2 and 5 %. */
  readonly maxFalseBlock?: number | undefined
}

/**
 * Computes a ROC curve over the scores of a judge, or over the share of its repeats that block. Returns null if there are
 * neither scores nor repeats, or if all rows have the same label.
 */
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
  const wanted = [...new Set([...REPORTED, ...(options.maxFalseBlock === undefined ? [] : [options.maxFalseBlock])])]
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
        // Among the thresholds with this recall, the highest blocks the fewest rows.
        const threshold = curve.points.find((point) => point.recall >= recall)?.threshold ?? null
        return { false_block: rate, recall, threshold }
      }),
  }
}

function thinned(points: readonly RocPoint[]): readonly RocPoint[] {
  const step = Math.ceil(points.length / MAX_POINTS)
  return points.filter((_, place) => place % step === 0 || place === points.length - 1)
}
