/** One testable sentence of the contract. Tests cite it by its id: `verifies("files.path.length")`. */
export interface Requirement {
  /** Dotted kebab-case words. It stays the same as long as the rule does. */
  readonly id: string
  /** Page and heading below `docs/spec` that state the rule: `files.md#paths`. */
  readonly source: string
  readonly text: string
}

/** Returns the requirements of one section, each given as id and text. */
export function rules(source: string, texts: Readonly<Record<string, string>>): readonly Requirement[] {
  return Object.entries(texts).map(([id, text]) => ({ id, source, text }))
}
