/** Pixels of a line of an editor, also in its style. */
export const LINE_HEIGHT = 20

/** The line and the column of an offset, both from 0. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

export function placeOf(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset)
  const start = before.lastIndexOf("\n") + 1
  return { line: before.split("\n").length - 1, column: offset - start }
}

/** Returns the blanks that begin the line after a caret: those of its own line, more after a colon, and those after a hyphen. Empty: the browser's way. */
export function nextIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset)
  const [, blanks = "", hyphen = "", rest = ""] = /^( *)(- +)?(.*)$/u.exec(line) ?? []
  const isEmptyItem = hyphen !== "" && rest.trim() === ""
  if (isEmptyItem) return blanks
  if (/:\s*$/u.test(rest)) return `${blanks}${" ".repeat(hyphen.length)}  `
  return hyphen !== "" && /^[\w-]+:\s/u.test(rest) ? `${blanks}${" ".repeat(hyphen.length)}` : blanks
}

/** Writes a text over the selection of a field, so that the browser can undo it. */
export function insertText(field: HTMLTextAreaElement, text: string): void {
  // oxlint-disable-next-line no-deprecated -- the only way that keeps the history of a field
  const isDone = document.execCommand(text === "" ? "delete" : "insertText", false, text)
  if (isDone) return
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end")
  field.dispatchEvent(new Event("input", { bubbles: true }))
}

/** Selects a line of a field, and scrolls to it. Lines count from 1. */
export function selectLine(field: HTMLTextAreaElement | null, line: number): void {
  if (field === null) return
  const lines = field.value.split("\n")
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0)
  field.focus({ preventScroll: true })
  field.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  // Browsers scroll to a selection that was typed, not to one that was set.
  const box = field.closest(".code-editor")
  if (box !== null) box.scrollTop = LINE_HEIGHT * (line - 1) - box.clientHeight / 2
  field.closest(".code-editor-field")?.scrollIntoView({ block: "nearest" })
}
