import { TemplateFailure, type EngineValue } from "@assay/templates"

/** The white space settings that every program uses for chat templates. */
export const CHAT_WHITESPACE = { lstrip_blocks: true, trim_blocks: true } as const

/**
 * Maximum number of characters in a text, or entries in a list. It stops a value that keeps doubling while it is still
 * small.
 */
const MAX_ENTRIES = 1_000_000

/** Returns a value of a template. @throws TemplateFailure if it is too large */
export function withinLimit(result: EngineValue | undefined): EngineValue | undefined {
  const value = result?.value
  const size = typeof value === "string" || Array.isArray(value) ? value.length : 0
  if (size > MAX_ENTRIES) {
    throw new TemplateFailure(`can't be rendered: it makes a text or a list of more than ${MAX_ENTRIES} entries`)
  }
  return result
}
