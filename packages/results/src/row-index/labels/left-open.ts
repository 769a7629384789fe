import { drawKey, parseDraw } from "./draw-name.ts"
import { likelihoodOver } from "./draw-probability.ts"

/** A row that could be drawn: the number of its digest, and the judge's score. */
export type VisitCandidates = (visit: (digest: number, score: number) => void) => void

/**
 * Counts the rows that were drawn before a row with a label and have no label themselves. Somebody may have left them out because they are hard, so the
 * labels are then not a random sample. Equal rows count once.
 * @param labels by number of a digest: the draw that the label is from, or null
 */
export function countLeftOpen(each: VisitCandidates, labels: ReadonlyMap<number, string | null>): number {
  if (labels.values().every((draw) => draw === null)) return 0
  let low = Infinity
  let high = -Infinity
  each((_, score) => {
    low = Math.min(low, score)
    high = Math.max(high, score)
  })
  const likelihoods = { random: () => 1, uncertainty: likelihoodOver(low, high) }
  /** By draw: the key of the last row that has a label. */
  const last = new Map<string, number>()
  each((digest, score) => {
    const name = labels.get(digest) ?? null
    const draw = name === null ? undefined : parseDraw(name)
    if (name === null || draw === undefined) return
    const key = drawKey(digest, draw.seed) / likelihoods[draw.by](score)
    last.set(name, Math.max(last.get(name) ?? 0, key))
  })
  const left = new Set<number>()
  for (const [name, key] of last) {
    const draw = parseDraw(name)
    if (draw === undefined) continue
    each((digest, score) => {
      if (labels.has(digest)) return
      if (drawKey(digest, draw.seed) / likelihoods[draw.by](score) < key) left.add(digest)
    })
  }
  return left.size
}
