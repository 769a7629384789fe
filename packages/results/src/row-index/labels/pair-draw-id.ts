import { createHash } from "node:crypto"

/** A draw of rows of two jobs. */
export interface PairDrawName {
  readonly jobs: readonly [baseline: string, job: string]
  /** `metric.score` */
  readonly score: string
  readonly seed: number
}

/**
 * Returns the id of a draw of rows of two jobs, such as `pairs-1-0f3a9c2b7d51`. Its last part has six digits for each job, in any order, which depend on the
 * job, the score and the seed: a label of one of the jobs shows whether the draw was issued for it.
 */
export function formatPairDraw({ jobs, score, seed }: PairDrawName): string {
  const parts = jobs.map((job) => partOf({ job, score, seed }))
  return `pairs-${seed}-${parts.toSorted().join("")}`
}

/** Returns whether a draw of two jobs can be one of this job and score. */
export function isPairDrawOf(draw: string, { job, score }: { readonly job: string; readonly score: string }): boolean {
  const [, seed = "", first, second] = /^pairs-(0|[1-9]\d{0,9})-([0-9a-f]{6})([0-9a-f]{6})$/u.exec(draw) ?? []
  const part = partOf({ job, score, seed: Number(seed) })
  return first === part || second === part
}

function partOf({ job, score, seed }: { readonly job: string; readonly score: string; readonly seed: number }): string {
  return createHash("sha256")
    .update(JSON.stringify(["pairs", job, score, seed]))
    .digest("hex")
    .slice(0, 6)
}

/** Returns the seed of a draw of rows of two jobs. Undefined if the id is not one, or is that of other jobs or of another score. */
export function seedOfPairDraw(draw: string, name: Omit<PairDrawName, "seed">): number | undefined {
  const [, text = ""] = /^pairs-(\d{1,10})-/u.exec(draw) ?? []
  return text !== "" && draw === formatPairDraw({ ...name, seed: Number(text) }) ? Number(text) : undefined
}
