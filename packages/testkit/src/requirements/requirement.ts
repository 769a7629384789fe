export type RequirementStatus = "built" | "not-built"

/** One testable sentence of the contract. Tests cite it by its id, in square brackets at the end of their title. */
export interface Requirement {
  /** Dotted kebab-case words; stays the same for as long as the rule does. */
  readonly id: string
  /** The page and the section that state the rule. */
  readonly source: string
  readonly text: string
  readonly status: RequirementStatus
}

/** The rules of one section that hold now, each as id and text. */
export function built(source: string, rules: Readonly<Record<string, string>>): readonly Requirement[] {
  return Object.entries(rules).map(([id, text]) => ({ id, source, text, status: "built" }))
}

/** The rules of one section that do not hold yet, each as id and text. */
export function notBuilt(source: string, rules: Readonly<Record<string, string>>): readonly Requirement[] {
  return Object.entries(rules).map(([id, text]) => ({ id, source, text, status: "not-built" }))
}
