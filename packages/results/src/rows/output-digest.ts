import { createHash } from "node:crypto"
import type { EvaluationRow } from "@assay/schemas"
import { isExactNumber } from "@assay/json"

/**
 * Returns the SHA-256 digest of a row's item and output, in hexadecimal digits. It does not depend on the order of keys, on the job, or on the location of
 * the row. Numbers count by their text, if they were read with it.
 */
export function outputDigest({ item, sample }: Pick<EvaluationRow, "item" | "sample">): string {
  const text = JSON.stringify([sorted(item), sample?.output_text ?? null])
  return createHash("sha256").update(text).digest("hex")
}

const HEX_OF_48_BITS = 12

/** Returns the first 48 bits of a digest, which a number can hold. */
export function digestNumber(digest: string): number {
  return Number.parseInt(digest.slice(0, HEX_OF_48_BITS), 16)
}

/** Returns a value with the keys of its objects in order. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || isExactNumber(value)) return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).map(([key, part]) => [key, sorted(part)] as const)
  // `fromEntries` also creates a key named `__proto__`.
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
