import { integerArgument, namedArguments, textArgument } from "../values/call-arguments.ts"
import { boundedText } from "../values/bounds.ts"
import { escaped, markup } from "../values/markup.ts"
import { pythonText } from "../values/python-text.ts"
import { codePointCount, fail, isTrue, itemsOf, sliceText, tuple, typeName } from "../values/python-value.ts"
import { capitalize, replaceText, strip, STRING_METHODS } from "../methods/string-methods.ts"
import { LINE_END } from "../methods/split-text.ts"
import { formatPercent } from "../methods/format-spec.ts"
import type { Filter, Filters } from "./filter.ts"

const changed =
  (change: (text: string) => string): Filter =>
  (value, args) => {
    namedArguments(args)
    return change(pythonText(value))
  }

const WORD_START = /([-\s({[<]+)/

const escape: Filter = (value, args) => {
  namedArguments(args)
  return escaped(value)
}

const indent: Filter = (value, args) => {
  const { width = 4n, first = false, blank = false } = namedArguments(args, "width", "first", "blank")
  if (typeof value !== "string") return fail(`'indent' takes a text, not ${typeName(value)}`)
  const by = typeof width === "string" ? width : boundedText(" ".repeat(Math.min(integerArgument(width, 4), 1_000_001)))
  const lines = value.split(LINE_END)
  boundedText("", value.length + lines.length * by.length)
  const indented = lines.map((line, index) =>
    (index === 0 && !isTrue(first)) || (line === "" && index > 0 && !isTrue(blank)) ? line : by + line,
  )
  return indented.join("\n")
}

const replace: Filter = (value, args) => {
  const { old, new: replacement, count = null } = namedArguments(args, "old", "new", "count")
  if (old === undefined || replacement === undefined) return fail("'replace' takes two texts")
  const most = count === null ? -1 : integerArgument(count, -1)
  return replaceText(pythonText(value), { from: pythonText(old), to: pythonText(replacement), most })
}

const truncate: Filter = (value, args) => {
  const given = namedArguments(args, "length", "killwords", "end", "leeway")
  const text = pythonText(value)
  const length = integerArgument(given.length, 255)
  const leeway = integerArgument(given.leeway ?? undefined, 5)
  const end = textArgument(given.end ?? "...", "end")
  if (codePointCount(text) <= length + leeway) return text
  const cut = sliceText(text, 0, length - codePointCount(end))
  if (isTrue(given.killwords ?? false)) return cut + end
  const space = cut.lastIndexOf(" ")
  return (space === -1 ? cut : cut.slice(0, space)) + end
}

const center: Filter = (value, args) => {
  const { width = 80n } = namedArguments(args, "width")
  const method = STRING_METHODS.get("center")
  return method?.(pythonText(value), { positional: [width], named: new Map() }) ?? null
}

const join: Filter = (value, args, context) => {
  const { d = "", attribute = null } = namedArguments(args, "d", "attribute")
  const named = new Map([["attribute", attribute]])
  const values = attribute === null ? value : context.filter("map", value, { positional: [], named })
  const items = context.filter("list", values, { positional: [], named: new Map() })
  return boundedText((itemsOf(items) ?? []).map(pythonText).join(pythonText(d)))
}

const title = changed((text) =>
  text
    .split(WORD_START)
    .map((part) => capitalize(part))
    .join(""),
)

/** Does the same as Python's `urllib.parse.quote`, which keeps slashes and encodes more characters than JavaScript. */
function urlEncode(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed()).replaceAll("%2F", "/")
  return encoded.replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** The filters of Jinja that make a text. */
export const TEXT_FILTERS: Filters = [
  ["capitalize", changed(capitalize)],
  ["center", center],
  ["e", escape],
  ["escape", escape],
  ["forceescape", (value) => escaped(pythonText(value))],
  [
    "format",
    (value, { positional, named }) => {
      if (named.size > 0 && positional.length > 0) return fail("'format' takes either positional or named values")
      const values = named.size > 0 ? new Map(named) : tuple(...positional)
      return boundedText(formatPercent(pythonText(value), values))
    },
  ],
  ["indent", indent],
  ["join", join],
  ["lower", changed((text) => text.toLowerCase())],
  ["replace", replace],
  ["safe", (value) => markup(pythonText(value))],
  ["string", changed((text) => text)],
  ["title", title],
  ["trim", (value, args) => strip(pythonText(value), args, { start: true, end: true })],
  ["truncate", truncate],
  ["upper", changed((text) => text.toUpperCase())],
  ["urlencode", changed(urlEncode)],
  ["wordcount", (value) => BigInt(pythonText(value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0)],
]
