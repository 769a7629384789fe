import type { JobStatus } from "@assay/schemas"

/** The status behind the word that a server uses for it: in the vendors' words it is lower-case. */
export function jobStatusOf(word: string): JobStatus {
  return word.toUpperCase() as JobStatus
}
