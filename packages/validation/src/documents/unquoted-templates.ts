import { type Document, isCollection, isMap, visit } from "yaml"
import { AssayError, printable } from "@assay/schemas"

/** Maximum number of places that a message names, and of characters that it repeats. */
const MAX_PLACES = 10
const MAX_SHOWN = 60

/**
 * Refuses objects and lists as keys, which JSON does not have. Almost all of them are templates without quotes: `{{ x }}` is an object in
 * an object in YAML.
 * @throws `bad_document` with line and column
 */
export function checkKeys(document: Document.Parsed, text: string, at: (offset: number) => string): void {
  const found: { readonly start: number; readonly end: number; readonly isTemplate: boolean }[] = []
  visit(document, {
    Map(_key, map) {
      if (!map.items.some(({ key }) => isCollection(key))) return undefined
      const [start = 0, end = 0] = map.range ?? []
      found.push({ start, end, isTemplate: text.startsWith("{{", start) && map.items.every(({ key }) => isMap(key)) })
      return visit.SKIP
    },
  })
  const [first] = found
  if (first === undefined) return
  const shown = printable(text.slice(first.start, Math.min(first.end, first.start + MAX_SHOWN)))
  const others = found.slice(1, MAX_PLACES).map(({ start }) => at(start))
  const also = others.length === 0 ? "" : ` Also at ${others.join(", ")}.`
  const why = first.isTemplate
    ? `${shown} without quotes is an object in YAML, not a template: put it in quotes, as in "${shown.replaceAll('"', "'")}".`
    : "This object has a list or an object as a key, which is not possible here."
  throw new AssayError("bad_document", `${at(first.start)}: ${why}${also}`)
}

/** Returns what to do about a text that begins with a template without quotes on this line; an empty text for any other line. */
export function templateHint(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1
  const end = text.indexOf("\n", start)
  const line = text.slice(start, end === -1 ? text.length : end)
  return /(?:^|[:-])\s+\{\{/.test(line) ? "; put a text that begins with {{ in quotes" : ""
}
