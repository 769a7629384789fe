import { createHash } from "node:crypto"
import { DRAWN_BY } from "@assay/schemas"

/** `random`: each row is as likely as any other. `uncertainty`: rows with scores in the middle of the scale are likelier. */
export type DrawnBy = (typeof DRAWN_BY)[number]

/** The inputs that decide the order of a draw. */
export interface DrawName {
  readonly by: DrawnBy
  readonly seed: number
}

/** A draw of one score of one job. */
export interface IssuedName extends DrawName {
  readonly job: string
  /** `metric.score` */
  readonly score: string
}

/**
 * Returns the id of a draw, such as `random-1-0f3a9c2b7d51`. A label brings it, and the probability of its row follows from it. Its last
 * part depends on the job and the score, so that the id of another draw is not taken for this one.
 */
export function formatDraw({ by, seed, job, score }: IssuedName): string {
  const digest = createHash("sha256").update(JSON.stringify([job, score, by, seed]))
  return `${by}-${seed}-${digest.digest("hex").slice(0, 12)}`
}

/** Reads the id of a draw, also of a version that issued no last part. Returns undefined if it is not one. */
export function parseDraw(text: string): DrawName | undefined {
  const [name, seed = ""] = text.split("-")
  const by = DRAWN_BY.find((one) => one === name)
  return by !== undefined && /^\d{1,15}$/u.test(seed) ? { by, seed: Number(seed) } : undefined
}

const TWO_POW_32 = 2 ** 32

/** Returns a number above 0 and at most 1 that depends on a digest of 48 bits and a seed, by the finaliser of SplitMix32. */
export function drawKey(digest: number, seed: number): number {
  let mixed =
    ((digest % TWO_POW_32) | 0) ^ Math.imul(seed | 0, 0x9e3779b9) ^ Math.imul((digest / TWO_POW_32) | 0, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (((mixed ^ (mixed >>> 16)) >>> 0) + 1) / TWO_POW_32
}
