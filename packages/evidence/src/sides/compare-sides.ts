import { worstVerdict } from "@assay/metrics"
import { compareJobs } from "@assay/results"
import type { BundleComparison, BundleLabels, BundleSide, BundleVerdict } from "../statement/verdict-statement.ts"
import { type ReadableSide, toCompare } from "./plan-side.ts"

export interface ComparisonOptions {
  readonly margin: number
  readonly allowChanged: boolean
  /** With labels of people, scores of judges are decided by the difference that people would see. */
  readonly labels?: BundleLabels | undefined
  readonly signal: AbortSignal
}

/** Compares the candidate of a bundle with its baseline. Null: there is no baseline. */
export async function compareSides(
  sides: readonly ReadableSide[],
  { margin, allowChanged, labels, signal }: ComparisonOptions,
): Promise<BundleComparison | null> {
  const baseline = sides.find(({ side }) => side.role === "baseline")
  const candidate = sides.find(({ side }) => side.role === "candidate")
  if (baseline === undefined || candidate === undefined) return null
  const people = labels === undefined ? {} : { labels }
  const compared = await compareJobs([baseline, candidate].map(toCompare), { margin, allowChanged, signal, ...people })
  const { jobs: _jobs, changed_rows: _rows, ...comparison } = compared
  const { changes = [] } = comparison
  return { ...comparison, changes, allow_changed: allowChanged }
}

/**
 * Returns the worst verdict of the candidate's gates and of its comparison. A job that did not complete has failed. Null if nothing decides, or nothing fails and one of
 * them has no verdict because its metrics changed.
 */
export function verdictOf(sides: readonly BundleSide[], comparison: BundleComparison | null): BundleVerdict {
  const candidate = sides.find(({ role }) => role === "candidate")
  const outcomes = [...(candidate?.gates ?? []), ...(comparison === null ? [] : [comparison])]
  const verdicts = outcomes.flatMap(({ verdict }) => (verdict === null ? [] : [verdict]))
  const failed = candidate?.status === "COMPLETED" ? [] : (["FAIL"] as const)
  const worst = worstVerdict([...verdicts, ...failed]) ?? null
  return outcomes.some(({ verdict }) => verdict === null) && worst !== "FAIL" ? null : worst
}
