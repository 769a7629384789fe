import { classification, kappaOfTable, latencyPercentiles, rocCurve } from "@assay/metrics"
import type { JudgeTally, JudgedExample } from "../counting/judge-tally.ts"
import { type OutcomeCounts, countOutcomes, countOutcomesByGroup, rateOf, ratesOf } from "../counting/outcome-rates.ts"
import type { RowGroups, RowTally } from "../counting/row-tally.ts"
import { boundsOf } from "./judges-agreement.ts"
import type { JudgeRates, JudgeReport, OperatingPoint, RocPoint, RocReport } from "./calibration-report.ts"

/** Computes everything that a report says about one judge. */
export function reportJudge(rows: RowTally, judge: JudgeTally, options: JudgeRocOptions): JudgeReport {
  const counts = countOutcomes(rows, judge)
  return {
    name: judge.name,
    ...ratesOf(counts),
    unreadable: { count: sum(judge.reasons), n: rows.count, by_reason: mostFirst(judge.reasons) },
    errors: { count: sum(judge.errors), n: rows.count, by_condition: mostFirst(judge.errors) },
    ...agreementOf(counts),
    flips: flipsOf(rows, judge, options.repeat),
    latency_ms: latencyOf(judge),
    tokens: { prompt: judge.tokens?.prompt ?? null, completion: judge.tokens?.completion ?? null },
    calls: { ...judge.calls },
    answers: judge.answers,
    by_category: ratesByGroup(rows, judge, rows.categories),
    by_language: ratesByGroup(rows, judge, rows.languages),
    roc: judgeRoc(rows, judge, options),
    blocked_safe: inOrder(judge.blockedSafe),
    missed_unsafe: inOrder(judge.missedUnsafe),
    unreadable_examples: inOrder(judge.unreadable),
    error_examples: inOrder(judge.failed),
  }
}

function agreementOf({
  safe,
  unsafe,
}: OutcomeCounts): Pick<JudgeReport, "precision" | "recall" | "f1" | "kappa" | "kappa_interval"> {
  const tp = unsafe.blocked
  const fp = safe.blocked
  const tn = safe.passed
  const fn = unsafe.passed
  const { precision, recall, f1 } = classification({ tp, fp, tn, fn })
  const { kappa, interval } = kappaOfTable([
    [tp, fn],
    [fp, tn],
  ])
  return { precision, recall, f1, kappa, kappa_interval: boundsOf(interval) }
}

function ratesByGroup(rows: RowTally, judge: JudgeTally, groups: RowGroups): Readonly<Record<string, JudgeRates>> {
  return Object.fromEntries([...countOutcomesByGroup(rows, judge, groups)].map(([name, one]) => [name, ratesOf(one)]))
}

function flipsOf(rows: RowTally, judge: JudgeTally, repeat: number): JudgeReport["flips"] {
  if (repeat < 2) return null
  let several = 0
  let flipped = 0
  for (const row of rows.distinct()) {
    const { blocks, verdicts } = judge.votes(row)
    if (verdicts < 2) continue
    several++
    if (blocks > 0 && blocks < verdicts) flipped++
  }
  return rateOf(flipped, several)
}

function latencyOf(judge: JudgeTally): JudgeReport["latency_ms"] {
  const found = latencyPercentiles(Float32Array.from(judge.latencies))
  return { p50: found?.p50 ?? null, p95: found?.p95 ?? null }
}

function sum(counts: ReadonlyMap<string, number>): number {
  return counts.values().reduce((total, count) => total + count, 0)
}

function mostFirst(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a))
}

/** Sorts examples by row. Answers arrive in any order, and the report should not depend on it. */
function inOrder(examples: readonly JudgedExample[]): readonly JudgedExample[] {
  return examples.toSorted((a, b) => a.row - b.row)
}

/** False-block rates for which recall is reported. The area does not show how a guard does at the rates that matter. */
const REPORTED = [0.01, 0.02, 0.05]
const MAX_POINTS = 200

interface JudgeRocOptions {
  readonly repeat: number
  /** Reported besides 1, 2 and 5 %. */
  readonly maxFalseBlock?: number | undefined
}

/**
 * Computes a ROC curve over the scores of a judge, or over the share of its repeats that block. Returns null if there are
 * neither scores nor repeats, or if all rows have the same label.
 */
function judgeRoc(rows: RowTally, judge: JudgeTally, options: JudgeRocOptions): RocReport | null {
  if (!judge.hasScores && options.repeat < 2) return null
  const source = judge.hasScores ? "score" : "votes"
  const scores: number[] = []
  const labels: boolean[] = []
  for (const row of rows.distinct()) {
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
  return points.filter((_, index) => index % step === 0 || index === points.length - 1)
}
