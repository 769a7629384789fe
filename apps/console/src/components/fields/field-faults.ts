import type { ValidationIssue } from "@assay/schemas"
import { createContext, use, useEffect } from "react"

/** Faults that a server found in the fields of a form. */
export interface FieldFaults {
  readonly issues: readonly ValidationIssue[]
  /** Says that a field shows what is wrong with a key. Returns what takes it back. */
  readonly claim: (key: string) => () => void
}

export const FieldFaultsContext = createContext<FieldFaults>({ issues: [], claim: () => () => {} })

/** Returns the key of the body that an issue is about, such as `max_requests`. */
export function keyOfIssue({ loc }: ValidationIssue): string {
  return (loc[0] === "body" ? loc.slice(1) : loc).join(".")
}

/** Returns what is wrong with the field of a key, which shows it instead of the form. Undefined: nothing. */
export function useFieldFault(key: string | undefined): string | undefined {
  const { issues, claim } = use(FieldFaultsContext)
  useEffect(() => (key === undefined ? undefined : claim(key)), [key, claim])
  return key === undefined ? undefined : issues.find((issue) => keyOfIssue(issue) === key)?.msg
}
