import { pythonText } from "./python-text.ts"
import { isKind, type PythonMarkup, type PythonValue } from "./python-value.ts"

const HTML: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&#34;"],
  ["'", "&#39;"],
])

/** Returns the text of a value as markup: escaped for HTML, unless it is markup already. */
export function escaped(value: PythonValue): PythonMarkup {
  if (isKind(value, "markup")) return value
  return markup(pythonText(value).replaceAll(/[&<>"']/g, (character) => HTML.get(character) ?? ""))
}

export function markup(text: string): PythonMarkup {
  return { kind: "markup", text }
}
