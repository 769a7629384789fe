import type { Comparison, PairComparison } from "@assay/schemas"
/** Returns the word for the verdict of a comparison or a gate. Null means that scores measure something else in another job. */
export function verdictWord<Verdict extends string>(verdict: Verdict | null): Verdict | "NO VERDICT" {
  return verdict ?? "NO VERDICT"
}

/** Returns whether a score passed because none of the rows has another value in the other job. Its interval then decides nothing. */
function isUnchanged({ improved, worsened, left_out, verdict }: PairComparison): boolean {
  return verdict === "PASS" && improved + worsened + left_out === 0
}

/** Returns the verdict of a score in two jobs, with the reason if its interval does not decide it. */
export function pairVerdict(pair: PairComparison): string {
  return isUnchanged(pair) ? "PASS, no row changed" : verdictWord(pair.verdict)
}

/** Returns whether a comparison passed because every score that decides has the same value in every row. */
export function isUnchangedComparison({ verdict, scores }: Comparison): boolean {
  const pairs = scores.flatMap((score) => (score.decides ? score.pairs : []))
  return (
    verdict === "PASS" && pairs.length > 0 && pairs.every((pair) => pair.corrected === undefined && isUnchanged(pair))
  )
}
