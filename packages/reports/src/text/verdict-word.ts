/** Returns the word for the verdict of a comparison or a gate. Null means that scores measure something else in another job. */
export function verdictWord<Verdict extends string>(verdict: Verdict | null): Verdict | "NO VERDICT" {
  return verdict ?? "NO VERDICT"
}
