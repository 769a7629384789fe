import type { ValidationIssue } from "@assay/schemas"

type Loc = readonly (string | number)[]

/** An issue of a guardrail configuration; `loc` begins inside of its data. */
export function configurationFault(loc: Loc, msg: string, type: string, input?: unknown): ValidationIssue {
  return { loc: ["body", "data", ...loc], msg, type, ...(input === undefined ? {} : { input }) }
}

/** An issue for each value that stands earlier in the list already; `locate` tells where a place in the list is. */
export function duplicateFaults(
  values: readonly string[],
  locate: (index: number) => Loc,
  what: string,
): readonly ValidationIssue[] {
  const seen = new Set<string>()
  return values.flatMap((value, index) => {
    if (!seen.has(value)) {
      seen.add(value)
      return []
    }
    return [configurationFault(locate(index), `${what} '${value}' is there twice; remove one`, "duplicate", value)]
  })
}
