import type { Comparison } from "@assay/schemas"

/** Returns the word for the verdict of a comparison. Null means that scores measure something else in another job. */
export function verdictWord(verdict: Comparison["verdict"]): NonNullable<Comparison["verdict"]> | "NO VERDICT" {
  return verdict ?? "NO VERDICT"
}
