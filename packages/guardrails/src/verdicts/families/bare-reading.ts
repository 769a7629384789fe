import type { Value } from "../statement.ts"

/** What an answer without keys states: every value that it gives, of which all must agree. */
export interface BareReading {
  readonly values: readonly Value[]
  readonly categories: readonly string[]
}

export const NOTHING_SAID: BareReading = { values: [], categories: [] }
