import type { ValidationIssue } from "@assay/schemas"

type Loc = readonly (string | number)[]

/** Creates an issue of a guardrail configuration. `loc` is relative to its data. */
export function configurationFault(loc: Loc, msg: string, type: string, input?: unknown): ValidationIssue {
  return { loc: ["body", "data", ...loc], msg, type, ...(input === undefined ? {} : { input }) }
}

/** Returns an issue for each value that occurs earlier in the list. `locate` returns the location of a list index. */
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
    return [configurationFault(locate(index), `${what} '${value}' occurs twice; remove one`, "duplicate", value)]
  })
}
