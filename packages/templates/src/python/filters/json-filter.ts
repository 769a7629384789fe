import { boundedText } from "../values/bounds.ts"
import { namedArguments, integerArgument } from "../values/call-arguments.ts"
import { compare } from "../values/python-compare.ts"
import { floatText } from "../values/python-text.ts"
import { fail, isDict, isTrue, itemsOf, type PythonValue, typeName } from "../values/python-value.ts"
import type { Filter } from "./filter.ts"

interface JsonOptions {
  readonly isAscii: boolean
  readonly isSorted: boolean
  /** The text that each level is indented by. Null: everything is on one line. */
  readonly indent: string | null
  readonly between: string
  readonly afterKey: string
}

/** The filter `tojson` as transformers defines it: `json.dumps` with the characters as they are. */
export const toJson: Filter = (value, args) => {
  const given = namedArguments(args, "ensure_ascii", "indent", "separators", "sort_keys")
  const indent = indentOf(given.indent ?? null)
  const [between = indent === null ? ", " : ",", afterKey = ": "] = separatorsOf(given.separators ?? null)
  const options = {
    isAscii: isTrue(given.ensure_ascii ?? false),
    isSorted: isTrue(given.sort_keys ?? false),
    indent,
    between,
    afterKey,
  }
  return boundedText(jsonOf(value, options, "\n"))
}

function indentOf(indent: PythonValue): string | null {
  if (indent === null || typeof indent === "string") return indent
  return boundedText(" ".repeat(Math.min(Math.max(integerArgument(indent, 0), 0), 1_000_001)))
}

function separatorsOf(separators: PythonValue): readonly string[] {
  if (separators === null) return []
  const items = itemsOf(separators) ?? []
  if (items.length === 2 && items.every((item) => typeof item === "string")) return items
  return fail("separators must be two texts")
}

function jsonOf(value: PythonValue, options: JsonOptions, line: string): string {
  if (value === null) return "null"
  if (typeof value === "string") return jsonText(value, options.isAscii)
  if (typeof value === "number") return Number.isFinite(value) ? floatText(value) : specialNumber(value)
  if (typeof value !== "object") return String(value)
  const items = itemsOf(value)
  const below = options.indent === null ? "" : line + options.indent
  if (items !== undefined) {
    return inBrackets(
      "[]",
      items.map((item) => jsonOf(item, options, below)),
      { options, line },
    )
  }
  if (!isDict(value)) return fail(`Object of type ${typeName(value)} is not JSON serializable`)
  const entries = options.isSorted ? [...value].toSorted(([a], [b]) => compare(a, b)) : [...value]
  const parts = entries.map(
    ([key, entry]) => jsonText(keyText(key), options.isAscii) + options.afterKey + jsonOf(entry, options, below),
  )
  return inBrackets("{}", parts, { options, line })
}

function inBrackets(
  brackets: string,
  parts: readonly string[],
  { options, line }: { readonly options: JsonOptions; readonly line: string },
): string {
  const [open = "", close = ""] = brackets
  if (parts.length === 0) return brackets
  if (options.indent === null) return open + parts.join(options.between) + close
  const below = line + options.indent
  return open + below + parts.join(options.between + below) + line + close
}

function specialNumber(value: number): string {
  return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity"
}

function keyText(key: PythonValue): string {
  if (typeof key === "string") return key
  if (key === null) return "null"
  if (typeof key === "boolean") return key ? "true" : "false"
  if (typeof key === "bigint") return key.toString()
  return typeof key === "number" ? floatText(key) : fail(`keys must be texts or numbers, not ${typeName(key)}`)
}

const NOT_ASCII = /[\u007f-\uffff]/g

function jsonText(text: string, isAscii: boolean): string {
  const json = JSON.stringify(text)
  return isAscii ? json.replaceAll(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`) : json
}
