import { TemplateFailure } from "../../faults/template-fault.ts"

/**
 * Maximum number of characters in a text, or entries in a list. It stops a value that keeps doubling while it is still
 * small.
 */
const MAX_ENTRIES = 1_000_000

/** Checks the size of a text or list before it is made. @throws TemplateFailure */
export function checkSize(size: number): void {
  if (size <= MAX_ENTRIES) return
  throw new TemplateFailure(`can't be rendered: it makes a text or a list of more than ${MAX_ENTRIES} entries`)
}

/** Returns a text. @throws TemplateFailure if it, or the text of `size` characters that it begins, is too long */
export function boundedText(text: string, size = text.length): string {
  checkSize(size)
  return text
}
