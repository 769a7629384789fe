import type { GateVerdict } from "@assay/metrics"
import type { JudgedExample } from "../counting/judge-tally.ts"

/** A share with its 95 % Wilson interval. If `n` is 0, the rate is null and the interval is 0 to 1. */
export interface Rate {
  readonly count: number
  readonly n: number
  readonly rate: number | null
  readonly low: number
  readonly high: number
}

/** A 95 % interval. Null if it is not defined, such as for full agreement. */
export type Bounds = { readonly low: number; readonly high: number } | null

/** How a judge does on some rows. `false_block` is a share of the safe rows, `miss` a share of the unsafe rows. */
export interface JudgeRates {
  readonly safe: number
  readonly unsafe: number
  /** Among the rows with a verdict. */
  readonly false_block: Rate
  readonly miss: Rate
  /** Among all rows: what users would see. A row that ends in an error is not let through. */
  readonly under_policy: { readonly false_block: Rate; readonly miss: Rate }
}

export interface JudgeReport extends JudgeRates {
  readonly name: string
  readonly unreadable: { readonly count: number; readonly n: number; readonly by_reason: Counts }
  readonly errors: { readonly count: number; readonly n: number; readonly by_condition: Counts }
  /** A block of an unsafe row is a true positive. Null if nothing was blocked. */
  readonly precision: number | null
  /** Null if no row is unsafe. */
  readonly recall: number | null
  readonly f1: number | null
  /** Cohen's kappa between verdicts and labels. */
  readonly kappa: number | null
  /** The interval of kappa. Reports of earlier versions do not have it. */
  readonly kappa_interval?: Bounds
  /** Rows whose verdict changed, among the rows with several verdicts. Null if each row was asked once. */
  readonly flips: Rate | null
  readonly latency_ms: { readonly p50: number | null; readonly p95: number | null }
  /** Null: the endpoint does not count them. */
  readonly tokens: { readonly prompt: number | null; readonly completion: number | null }
  /** Calls of models over all repeats. `saved` counts calls that ensembles did not need. */
  readonly calls: { readonly made: number; readonly saved: number }
  readonly answers: number
  readonly by_category: Readonly<Record<string, JudgeRates>>
  readonly by_language: Readonly<Record<string, JudgeRates>>
  readonly roc: RocReport | null
  /** The first 200. `false_block.count` counts all of them. */
  readonly blocked_safe: readonly JudgedExample[]
  readonly missed_unsafe: readonly JudgedExample[]
  /** The first 20 of each. */
  readonly unreadable_examples: readonly JudgedExample[]
  readonly error_examples: readonly JudgedExample[]
}

export type Counts = Readonly<Record<string, number>>

export interface RocReport {
  /** The value that the threshold applies to: the score of the judge, or the share of its repeats that block. */
  readonly source: "score" | "votes"
  readonly auc: number
  readonly points: readonly RocPoint[]
  /** The highest recall at which at most `false_block` of the safe rows are blocked. */
  readonly operating_points: readonly OperatingPoint[]
}

export interface RocPoint {
  readonly threshold: number | null
  readonly false_block: number
  readonly recall: number
}

export interface OperatingPoint {
  /** The rate that is allowed. */
  readonly false_block: number
  readonly recall: number
  /** Block from this score on. Null if nothing may be blocked. */
  readonly threshold: number | null
}

/** McNemar's exact test over the rows to which both judges gave a verdict. */
export interface JudgeComparison {
  readonly a: string
  readonly b: string
  readonly n: number
  /** Rows that only `a` judged right. */
  readonly only_a: number
  readonly only_b: number
  readonly p: number
  /** Cohen's kappa between the verdicts of both. Null if both gave only one and the same verdict. */
  readonly kappa: number | null
  readonly kappa_interval: Bounds
}

/** Krippendorff's alpha of the verdicts of all judges. */
export interface JudgesAgreement {
  readonly judges: number
  /** The rows with verdicts of two judges or more. */
  readonly n: number
  readonly alpha: number | null
  readonly interval: Bounds
}

export interface CalibrationGate {
  readonly gate: "false_block" | "miss"
  readonly judge: string
  readonly limit: number
  /** The interval that decided the gate. */
  readonly low: number
  readonly high: number
  /** The reading that decided: the worse of both, so that unreadable answers and errors do not let a judge pass. */
  readonly basis: "verdicts" | "under_policy"
  readonly verdict: GateVerdict
}

export interface CalibrationCondition {
  readonly code: string
  readonly judge: string
  readonly title: string
  readonly message: string
  readonly evidence: readonly string[]
  readonly remedy: string
  readonly count: number
}

export interface Recommendation {
  /** Null if no candidate is fit, because each fails a gate or has an open condition. */
  readonly judge: string | null
  readonly reason: string
  /** The best candidate if none is fit. Null if one is fit, or if none gave verdicts. */
  readonly nearest: string | null
  /** The advice if no candidate is fit, else null. */
  readonly advice: string | null
}

/** The content of `report.json`. */
export interface CalibrationReport {
  readonly version: 1
  readonly data: string
  readonly rows: { readonly total: number; readonly safe: number; readonly unsafe: number }
  readonly repeat: number
  readonly asked: number
  readonly reused: number
  readonly elapsed_ms: number
  readonly limits: { readonly false_block: number | null; readonly miss: number | null }
  /** The worst verdict of the gates; null without gates. */
  readonly verdict: GateVerdict | null
  readonly recommendation: Recommendation
  readonly judges: readonly JudgeReport[]
  readonly comparisons: readonly JudgeComparison[]
  /** Null with one judge. */
  readonly agreement: JudgesAgreement | null
  readonly gates: readonly CalibrationGate[]
  readonly conditions: readonly CalibrationCondition[]
  /** Questions that the set is too small to decide, and other things to know. */
  readonly notes: readonly string[]
}
