import { fail, isDict, isKind, isList, isUndefined, type PythonValue, typeName } from "./python-value.ts"

/** Returns Python's `str()` of a value. */
export function pythonText(value: PythonValue): string {
  if (typeof value === "string") return value
  if (isKind(value, "markup")) return value.text
  return isUndefined(value) ? "" : representationOf(value)
}

/** Returns Python's `repr()` of a value. */
export function representationOf(value: PythonValue): string {
  if (typeof value === "string") return quoted(value)
  if (typeof value === "bigint") return value.toString()
  if (typeof value === "number") return floatText(value)
  return typeof value === "boolean" ? (value ? "True" : "False") : objectText(value)
}

function objectText(value: Exclude<PythonValue, string | bigint | number | boolean>): string {
  if (value === null) return "None"
  if (isUndefined(value)) return "Undefined"
  if (isKind(value, "markup")) return `Markup(${quoted(value.text)})`
  if (isList(value)) return `[${value.map(representationOf).join(", ")}]`
  if (isDict(value)) {
    return `{${[...value].map(([key, entry]) => `${representationOf(key)}: ${representationOf(entry)}`).join(", ")}}`
  }
  if (isKind(value, "tuple")) {
    const parts = value.items.map(representationOf)
    return parts.length === 1 ? `(${parts[0]},)` : `(${parts.join(", ")})`
  }
  const text = isKind(value, "object") ? value.text?.() : undefined
  return (
    text ??
    fail(`it writes a ${typeName(value)}, whose text differs in each run; call it, or use a filter such as \`list\``)
  )
}

/** Returns Python's text of a float: the shortest digits that give it, with an exponent from 1e16 on and below 1e-4. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan"
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf"
  if (Object.is(value, -0)) return "-0.0"
  const [digits = "", exponentText = "0"] = value.toExponential().split("e")
  const exponent = Number(exponentText)
  if (exponent >= 16 || (exponent < -4 && value !== 0)) {
    const size = Math.abs(exponent).toString().padStart(2, "0")
    return `${digits}e${exponent < 0 ? "-" : "+"}${size}`
  }
  const text = value.toString()
  return text.includes(".") ? text : `${text}.0`
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
])
/** Characters that Python does not print: controls, formats, unassigned ones, and white space other than a blank. */
const UNPRINTABLE = /[\\\p{C}]|(?! )\p{Z}/gu

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replaceAll(UNPRINTABLE, (character) => ESCAPES.get(character) ?? escapeCode(character))
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote
}

function escapeCode(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, "0")}`
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`
}
