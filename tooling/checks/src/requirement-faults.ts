import type { Requirement } from "@assay/testkit"

export interface RequirementFaults {
  /** Said to be built, and no test cites it: `id  text (source)`. */
  readonly untested: readonly string[]
  /** Said not to be built, and a test cites it: its status is out of date. */
  readonly early: readonly string[]
  /** Cited, and not in the list. */
  readonly ghosts: readonly string[]
}

/** Where the list of requirements and the tests that cite it disagree. */
export function requirementFaults(requirements: readonly Requirement[], cited: readonly string[]): RequirementFaults {
  const ids = new Set(requirements.map(({ id }) => id))
  const known = new Set(cited)
  return {
    untested: requirements.filter(({ id, status }) => status === "built" && !known.has(id)).map(show),
    early: requirements.filter(({ id, status }) => status === "not-built" && known.has(id)).map(show),
    ghosts: [...known].filter((id) => !ids.has(id)),
  }
}

function show({ id, text, source }: Requirement): string {
  return `${id}  ${text} (${source})`
}
