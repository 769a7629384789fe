import { findStatements } from "./find-statements.ts"
import type { Statement } from "./statement.ts"

/**
 * Whether what was dropped before a closing tag looks like an answer that quotes the tag from what it judged: it says unsafe, in
 * an object that is still open, with quoted keys, or on the very line of the tag. Then what follows may be a quotation as well.
 */
export function quotesClosingTag(dropped: string): boolean {
  if (dropped === "") return false
  const { statements, text, isOpen } = findStatements(dropped, false)
  const isSuspect = (statement: Statement) =>
    !statement.isJson && statement.value !== "safe" && statement.value !== "absent"
  if (!statements.some((statement) => isSuspect(statement))) return false
  if (isOpen || /["'][\s\\]{0,5}[:=]/.test(text)) return true
  const line = dropped.slice(dropped.lastIndexOf("\n") + 1)
  return findStatements(line, false).statements.some((statement) => isSuspect(statement))
}
