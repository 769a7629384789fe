/** Why something on a side is left out. */
export type SkipReason = "link outside" | "broken link" | "link loop" | "special file" | "unreadable" | "odd name"

export interface SkippedEntry {
  /** Of a file; of a whole folder with a slash at its end. */
  readonly path: string
  readonly reason: SkipReason
  /** What was said about it, where that is the reason. */
  readonly error?: unknown
}

/** What is left out on purpose and only told; everything else is a file that should have travelled and could not. */
const ON_PURPOSE = new Set<SkipReason>(["link outside", "broken link", "link loop", "special file"])

export function isSkippedOnPurpose({ reason }: SkippedEntry): boolean {
  return ON_PURPOSE.has(reason)
}
