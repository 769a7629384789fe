import type { ErrorEntry } from "./error-entry.ts"

/** A known way in which work fails, as an error that can be thrown and as a condition that is found in what happened. */
export interface ConditionEntry extends ErrorEntry {
  /** The condition in a few words, as a heading. */
  readonly title: string
}
