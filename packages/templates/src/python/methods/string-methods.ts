import { integerArgument, namedArguments, textArgument } from "../values/call-arguments.ts"
import {
  type CallArguments,
  charactersOf,
  codePointCount,
  fail,
  isKind,
  iterate,
  sliceText,
  type PythonValue,
  tuple,
  typeName,
} from "../values/python-value.ts"
import { pythonTrimEnd, pythonTrimStart } from "../values/white-space.ts"
import { formatFields } from "./format-fields.ts"
import { splitLines, splitText } from "./split-text.ts"
import { boundedText } from "../values/bounds.ts"

type Method = (text: string, args: CallArguments) => PythonValue

const plain =
  (change: (text: string) => PythonValue): Method =>
  (text, args) => {
    namedArguments(args)
    return change(text)
  }

const CASED = /\p{Lu}|\p{Ll}|\p{Lt}/u

/** The methods of Python's `str` that do not need another type, by name. */
export const STRING_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["capitalize", plain(capitalize)],
  ["casefold", plain((text) => text.toLowerCase())],
  ["center", (text, args) => pad(text, args, (missing, width) => Math.floor(missing / 2) + (missing & width & 1))],
  ["count", count],
  ["endswith", (text, args) => hasAffix(text, args, (part, affix) => part.endsWith(affix))],
  ["expandtabs", expandTabs],
  ["find", (text, args) => find(text, args, false)],
  ["format", (text, args) => boundedText(formatFields(text, args))],
  ["index", (text, args) => orFail(find(text, args, false))],
  ["isalnum", plain((text) => /^[\p{L}\p{N}]+$/u.test(text))],
  ["isalpha", plain((text) => /^\p{L}+$/u.test(text))],
  // oxlint-disable-next-line no-control-regex -- ASCII includes them
  ["isascii", plain((text) => /^[\x00-\x7f]*$/.test(text))],
  ["isdecimal", plain((text) => /^\p{Nd}+$/u.test(text))],
  ["isdigit", plain((text) => /^[\p{Nd}²³¹⁰⁴-⁹₀-₉]+$/u.test(text))],
  ["isidentifier", plain((text) => /^[\p{L}_][\p{L}\p{N}\p{M}_]*$/u.test(text))],
  ["islower", plain((text) => CASED.test(text) && text === text.toLowerCase())],
  ["isnumeric", plain((text) => /^\p{N}+$/u.test(text))],
  ["isprintable", plain((text) => !/\p{C}|(?! )\p{Z}/u.test(text))],
  ["isspace", plain((text) => text !== "" && pythonTrimStart(text) === "")],
  ["istitle", plain((text) => CASED.test(text) && text === title(text))],
  ["isupper", plain((text) => CASED.test(text) && text === text.toUpperCase())],
  ["join", join],
  ["ljust", (text, args) => pad(text, args, () => 0)],
  ["lower", plain((text) => text.toLowerCase())],
  ["lstrip", (text, args) => strip(text, args, { start: true, end: false })],
  ["partition", (text, args) => partition(text, args, false)],
  ["removeprefix", (text, args) => removeAffix(text, args, "prefix")],
  ["removesuffix", (text, args) => removeAffix(text, args, "suffix")],
  ["replace", replace],
  ["rfind", (text, args) => find(text, args, true)],
  ["rindex", (text, args) => orFail(find(text, args, true))],
  ["rjust", (text, args) => pad(text, args, (missing) => missing)],
  ["rpartition", (text, args) => partition(text, args, true)],
  ["rsplit", (text, args) => splitText(text, args, true)],
  ["rstrip", (text, args) => strip(text, args, { start: false, end: true })],
  ["split", (text, args) => splitText(text, args, false)],
  ["splitlines", splitLines],
  ["startswith", (text, args) => hasAffix(text, args, (part, affix) => part.startsWith(affix))],
  ["strip", (text, args) => strip(text, args, { start: true, end: true })],
  [
    "swapcase",
    plain((text) =>
      charactersOf(text)
        .map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()))
        .join(""),
    ),
  ],
  ["title", plain(title)],
  ["upper", plain((text) => text.toUpperCase())],
  ["zfill", zeroFill],
])

export function capitalize(text: string): string {
  const [first = "", ...rest] = charactersOf(text)
  return first.toUpperCase() + rest.join("").toLowerCase()
}

/** Returns a text whose words begin with capitals. As in Python, a letter behind anything but a letter begins a word. */
function title(text: string): string {
  return text.replaceAll(/\p{L}+/gu, capitalize)
}

/** Removes white space, or the characters of the argument, from the ends of a text. */
export function strip(
  text: string,
  args: CallArguments,
  { start, end }: { readonly start: boolean; readonly end: boolean },
): string {
  const { chars = null } = namedArguments(args, "chars")
  if (chars === null) {
    const rest = start ? pythonTrimStart(text) : text
    return end ? pythonTrimEnd(rest) : rest
  }
  const removed = new Set(textArgument(chars, "chars"))
  const letters = charactersOf(text)
  const isKept = (letter: string) => !removed.has(letter)
  const first = letters.findIndex(isKept)
  const last = letters.findLastIndex(isKept)
  if (first === -1) return start || end ? "" : text
  return letters.slice(start ? first : 0, end ? last + 1 : letters.length).join("")
}

function replace(text: string, args: CallArguments): string {
  const { old, new: replacement, count: most = -1n } = namedArguments(args, "old", "new", "count")
  const from = textArgument(old, "old")
  const to = textArgument(replacement, "new")
  return replaceText(text, { from, to, most: integerArgument(most, -1) })
}

interface Replacement {
  readonly from: string
  readonly to: string
  /** The largest number of replacements. Negative: all. */
  readonly most: number
}

export function replaceText(text: string, { from, to, most }: Replacement): string {
  const parts = from === "" ? ["", ...charactersOf(text), ""] : text.split(from)
  const limit = most < 0 ? parts.length - 1 : Math.min(most, parts.length - 1)
  boundedText("", text.length + limit * to.length)
  const rest = parts.slice(limit + 1)
  return parts.slice(0, limit + 1).join(to) + (rest.length === 0 ? "" : from + rest.join(from))
}

function join(text: string, args: CallArguments): string {
  const { iterable = null } = namedArguments(args, "iterable")
  const parts: string[] = []
  for (const value of iterate(iterable)) {
    parts.push(typeof value === "string" ? value : fail(`join() takes texts, not ${typeName(value)}`))
  }
  return boundedText(parts.join(text))
}

type Range = Readonly<Partial<Record<"start" | "end", PythonValue>>>

/** Returns the part of a text between two indices, and the index at which it begins. */
function partOf(text: string, { start = null, end = null }: Range): { readonly part: string; readonly offset: number } {
  if (start === null && end === null) return { part: text, offset: 0 }
  const length = codePointCount(text)
  const at = (value: PythonValue, fallback: number) => {
    const index = value === null ? fallback : integerArgument(value, fallback)
    return index < 0 ? Math.max(length + index, 0) : Math.min(index, length)
  }
  const from = at(start, 0)
  const to = at(end, length)
  return { part: sliceText(text, from, Math.max(from, to)), offset: from }
}

function hasAffix(text: string, args: CallArguments, test: (part: string, affix: string) => boolean): boolean {
  const { affix = null, ...range } = namedArguments(args, "affix", "start", "end")
  const affixes = isKind(affix, "tuple") ? affix.items : [affix]
  const { part } = partOf(text, range)
  return affixes.some((one) => test(part, textArgument(one, "prefix or suffix")))
}

function find(text: string, args: CallArguments, isLast: boolean): bigint {
  const { sub, ...range } = namedArguments(args, "sub", "start", "end")
  const { part, offset } = partOf(text, range)
  const sought = textArgument(sub, "sub")
  const index = isLast ? part.lastIndexOf(sought) : part.indexOf(sought)
  return index === -1 ? -1n : BigInt(offset + codePointCount(part.slice(0, index)))
}

function orFail(index: bigint): bigint {
  return index === -1n ? fail("substring not found") : index
}

function count(text: string, args: CallArguments): bigint {
  const { sub, ...range } = namedArguments(args, "sub", "start", "end")
  const { part } = partOf(text, range)
  const sought = textArgument(sub, "sub")
  return BigInt(sought === "" ? codePointCount(part) + 1 : part.split(sought).length - 1)
}

/** Pads a text to a width. `before` returns how many of the missing characters come before it. */
function pad(text: string, args: CallArguments, before: (missing: number, width: number) => number): string {
  const { width, fillchar = " " } = namedArguments(args, "width", "fillchar")
  const wanted = integerArgument(width ?? null, 0)
  const missing = wanted - codePointCount(text)
  const fill = textArgument(fillchar, "fillchar")
  if (codePointCount(fill) !== 1) fail("The fill character must be exactly one character long")
  if (missing <= 0) return text
  boundedText("", missing)
  const left = before(missing, wanted)
  return fill.repeat(left) + text + fill.repeat(missing - left)
}

function expandTabs(text: string, args: CallArguments): string {
  const size = integerArgument(namedArguments(args, "tabsize").tabsize, 8)
  let column = 0
  let made = ""
  for (const character of text) {
    const part = character === "\t" ? " ".repeat(size > 0 ? size - (column % size) : 0) : character
    column = character === "\n" || character === "\r" ? 0 : column + part.length
    made = boundedText(made + part)
  }
  return made
}

function zeroFill(text: string, args: CallArguments): string {
  const { width } = namedArguments(args, "width")
  const missing = integerArgument(width ?? null, 0) - codePointCount(text)
  if (missing <= 0) return text
  boundedText("", missing)
  const sign = /^[-+]/.exec(text)?.[0] ?? ""
  return sign + "0".repeat(missing) + text.slice(sign.length)
}

function partition(text: string, args: CallArguments, isLast: boolean): PythonValue {
  const separator = textArgument(namedArguments(args, "sep").sep, "sep")
  if (separator === "") return fail("empty separator")
  const index = isLast ? text.lastIndexOf(separator) : text.indexOf(separator)
  if (index === -1) return isLast ? tuple("", "", text) : tuple(text, "", "")
  return tuple(text.slice(0, index), separator, text.slice(index + separator.length))
}

function removeAffix(text: string, args: CallArguments, kind: "prefix" | "suffix"): string {
  const affix = textArgument(namedArguments(args, kind)[kind], kind)
  if (kind === "prefix") return text.startsWith(affix) ? text.slice(affix.length) : text
  return affix !== "" && text.endsWith(affix) ? text.slice(0, -affix.length) : text
}
