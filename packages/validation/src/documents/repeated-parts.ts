import { type Document, isScalar, visit } from "yaml"
import { AssayError, printable } from "@assay/schemas"

/** Each alias is looked up among all anchors and aliases before it. */
const MAX_ALIASES = 1000

/** Returns the location of an offset, as `name:line:column`. */
type At = (offset: number) => string

/** Refuses an object with the same key twice, in a time that grows with the text. @throws `bad_document` with line and column */
export function checkUniqueKeys(document: Document.Parsed, at: At): void {
  visit(document, {
    Map(_key, map) {
      const seen = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        if (!seen.has(key.value)) seen.add(key.value)
        else {
          const shown = printable(String(key.value))
          const message = `${at(key.range?.[0] ?? 0)}: The key '${shown}' is twice in one object; keep one value of it.`
          throw new AssayError("bad_document", message)
        }
      }
    },
  })
}

/** @throws `bad_document` if a document has more than 1,000 aliases */
export function checkAliases(document: Document.Parsed, at: At): void {
  let count = 0
  visit(document, {
    Alias(_key, { range }) {
      if ((count += 1) <= MAX_ALIASES) return
      const message = `${at(range?.[0] ?? 0)}: This is the alias number ${MAX_ALIASES + 1}, and at most ${MAX_ALIASES} are read; write the values themselves.`
      throw new AssayError("bad_document", message)
    },
  })
}
