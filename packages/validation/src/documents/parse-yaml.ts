import { isCollection, isMap, isPair, isSeq, isScalar, LineCounter, parseDocument, visit, type Document } from "yaml"
import type { LocatedDocument } from "./located-document.ts"
import { AssayError, messageOf, printable } from "@assay/schemas"
import { exactNumber, holdsUserData } from "@assay/json"
import { checkAliases, checkUniqueKeys } from "./repeated-parts.ts"
import { checkKeys, templateHint } from "./unquoted-templates.ts"

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/**
 * Parses YAML 1.2, which includes JSON. Messages call it `name`. If `isOfUser`, the whole document is data of a user, whose numbers keep
 * their text.
 * @throws `bad_document` with line and column
 */
export function parseYaml(text: string, name: string, isOfUser = false): LocatedDocument {
  const lines = new LineCounter()
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${name}:${line}:${col}`
  }
  // The library compares each key with all others of its object, so that many keys would take minutes.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true, uniqueKeys: false })
  const [error] = document.errors
  if (error !== undefined) {
    const why = printable(reasonOf(error).replace(/\.$/, ""))
    throw new AssayError("bad_document", `${at(error.pos[0])}: ${why}${templateHint(text, error.pos[0])}.`, {
      cause: error,
    })
  }
  checkKeys(document, text, at)
  checkUniqueKeys(document, at)
  checkAliases(document, at)
  keepNumbers(document, isOfUser, at)
  return { value: toValue(document, name), locationOf: (pointer) => at(offsetOf(document, pointer)) }
}

/** The library reports by a full stack that a document is nested too deeply. */
function reasonOf({ message }: Error): string {
  return message.startsWith("Maximum call stack") ? "This is nested too deeply" : message
}

/** Keeps the exact text of numbers in data of users, as row files do. @throws `bad_document` for a number that can't be kept */
function keepNumbers(document: Document.Parsed, isOfUser: boolean, at: (offset: number) => string): void {
  visit(document, {
    Scalar(_key, node, path) {
      const { value, source } = node
      if (typeof value !== "number" || source === undefined || source === String(value)) return
      if (!JSON_NUMBER.test(source)) {
        if (!Number.isFinite(value)) throw notFinite(at(startOf(node) ?? 0), source)
        return
      }
      if (!isOfUser && !isRowOfFile(path) && !path.some((above) => isPair(above) && isKept(above.key, above.value)))
        return
      if (!Number.isFinite(value)) throw notFinite(at(startOf(node) ?? 0), source)
      node.value = exactNumber(source)
    },
  })
}

/** JSON has no such numbers: they would become null. */
function notFinite(location: string, source: string): AssayError {
  return new AssayError("bad_document", `${location}: The number ${printable(source)} can't be kept; write it as text.`)
}

function isKept(key: unknown, value: unknown): boolean {
  return (
    isScalar(key) &&
    typeof key.value === "string" &&
    holdsUserData(key.value, isSeq(value) ? value.items : isMap(value) ? value : null)
  )
}

/** Returns whether a value is in the rows that an evaluation file in the short form has as `data`. */
function isRowOfFile([_document, _root, pair]: readonly unknown[]): boolean {
  return isPair(pair) && isScalar(pair.key) && pair.key.value === "data" && isSeq(pair.value)
}

function toValue(document: Document.Parsed, name: string): unknown {
  try {
    return document.toJS()
  } catch (cause) {
    // An alias without an anchor, or aliases that expand without limit.
    const why = messageOf(cause)
    throw new AssayError("bad_document", `${name}: ${printable(why)}.`, { cause })
  }
}

/** Returns the offset of the key at a pointer, or else of its value. If both are missing, of the nearest value around them. */
function offsetOf(document: Document.Parsed, pointer: string): number {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
  for (let length = steps.length; length > 0; length -= 1) {
    const above = length === 1 ? document.contents : document.getIn(steps.slice(0, length - 1), true)
    const key = steps[length - 1] ?? ""
    const node = isCollection(above) ? (keyOf(above.items, key) ?? above.get(key, true)) : undefined
    const offset = startOf(node)
    if (offset !== undefined) return offset
  }
  return startOf(document.contents) ?? 0
}

/** Finds the key node of a pair in a map. */
function keyOf(items: readonly unknown[], key: string): unknown {
  for (const item of items) {
    if (typeof item !== "object" || item === null || !("key" in item)) continue
    if (isScalar(item.key) && String(item.key.value) === key) return item.key
  }
  return undefined
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node)) return undefined
  return Array.isArray(node.range) ? (node.range[0] as number) : undefined
}
