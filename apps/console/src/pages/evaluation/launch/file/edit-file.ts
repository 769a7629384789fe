import { printableJson, printableText } from "@assay/schemas"
import { Document, isMap, isScalar, parseDocument, visit, type Pair, type YAMLMap } from "yaml"

/** The keys and positions that lead to a value. */
export type FilePath = readonly (string | number)[]

/** A value that a form writes into a file. Undefined removes it. */
export interface FileChange {
  readonly path: FilePath
  readonly value: unknown
}

/** The order of the keys of a file that is written by a form. Others follow. */
const ORDER = ["name", "model", "models", "output", "data", "system", "prompt", "prompts", "checks", "gates", "repeat", "parallel", "limits"]

/**
 * Writes changes into the text of a file. Its comments, its order and whatever a form does not know are kept. New keys get their usual place.
 * Returns the text itself if it is not YAML.
 */
export function editFile(text: string, changes: readonly FileChange[]): string {
  const document: Document = text.trim() === "" ? new Document({}) : parseDocument(text)
  if (document.errors.length > 0) return text
  if (!isMap(document.contents)) document.contents = document.createNode({})
  for (const { path, value } of changes) {
    if (value === undefined) removeAt(document, path)
    else setAt(document, path, value)
  }
  const contents = document.contents as unknown as YAMLMap
  contents.flow = false
  return contents.items.length === 0 ? "" : printableJson(withEscapes(document).toString({ lineWidth: 0 }))
}

function setAt(document: Document, path: FilePath, value: unknown): void {
  const [key] = path
  const isNew = typeof key === "string" && !document.has(key)
  const node = document.createNode(value)
  const old: unknown = document.getIn(path, true)
  // A text keeps the kind of quotes that somebody has chosen, and its comment.
  if (isScalar(old) && isScalar(node) && typeof old.value === typeof node.value && node.type === undefined) old.value = node.value
  else document.setIn(path, node)
  if (isNew && isMap(document.contents)) moveToPlace(document.contents.items, key)
}

/** Removes a value, and the objects that it leaves empty. */
function removeAt(document: Document, path: FilePath): void {
  if (!document.hasIn(path)) return
  document.deleteIn(path)
  const above = path.slice(0, -1)
  const outer: unknown = above.length === 0 ? undefined : document.getIn(above, true)
  if (typeof outer === "object" && outer !== null && "items" in outer && (outer.items as unknown[]).length === 0) removeAt(document, above)
}

function moveToPlace(items: Pair[], key: string): void {
  const rank = (pair: Pair | undefined) => {
    const at = ORDER.indexOf(isScalar(pair?.key) ? String(pair.key.value) : String(pair?.key))
    return at === -1 ? ORDER.length : at
  }
  const at = items.findIndex((pair) => String(isScalar(pair.key) ? pair.key.value : pair.key) === key)
  const [pair] = items.splice(at, 1)
  if (pair === undefined) return
  const after = items.findIndex((other) => rank(other) > rank(pair))
  items.splice(after === -1 ? items.length : after, 0, pair)
}

/** Writes control characters of texts as escapes: they would reorder what the editor shows. */
function withEscapes(document: Document): Document {
  visit(document, {
    Scalar(_key, scalar) {
      const { value } = scalar
      if (typeof value === "string" && printableText(value) !== value) scalar.type = "QUOTE_DOUBLE"
    },
  })
  return document
}
