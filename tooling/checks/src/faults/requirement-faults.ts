import type { Requirement } from "@assay/testkit"

export interface RequirementFaults {
  /** No test cites it: the sentence is not proven. */
  readonly unproven: readonly Requirement[]
  /** Cited, and not in the list. */
  readonly unknown: readonly string[]
}

/** Compares the list of requirements with the ids that tests cite. */
export function requirementFaults(requirements: readonly Requirement[], cited: readonly string[]): RequirementFaults {
  const ids = new Set(requirements.map(({ id }) => id))
  const known = new Set(cited)
  return {
    unproven: requirements.filter(({ id }) => !known.has(id)),
    unknown: [...known].filter((id) => !ids.has(id)),
  }
}
