/** A JSON value as a model wrote it. An object keeps every value of a key that is named more than once. */
export type LenientJson =
  | string
  | number
  | boolean
  | null
  | readonly LenientJson[]
  | ReadonlyMap<string, readonly LenientJson[]>

export interface LenientResult {
  /** Undefined: the text is not JSON, even with the known kinds of damage. */
  readonly value: LenientJson | undefined
  /** The position after the value, or at the fault. */
  readonly end: number
}

/** Maximum depth of lists and objects. Answers of judges are flat. */
const MAX_DEPTH = 64

interface Cursor {
  readonly text: string
  at: number
}

/** Ends the reading at a fault. It never leaves this file. */
const FAULT = Symbol("fault")

/**
 * Reads the JSON value that begins at a position. Damage that changes no value is accepted: raw newlines and tabs in strings, a comma
 * before a closing bracket, a backslash before a character that needs none, strings in single quotes, and Python's `True`, `False`,
 * `None`. Nothing is completed: a value that is cut off is a fault. Takes time linear in the characters that it reads.
 */
export function readLenientJson(text: string, start: number): LenientResult {
  const cursor: Cursor = { text, at: start }
  const value = readValue(cursor, 0)
  return { value: value === FAULT ? undefined : value, end: cursor.at }
}

function readValue(cursor: Cursor, depth: number): LenientJson | typeof FAULT {
  skipBlanks(cursor)
  switch (cursor.text.charAt(cursor.at)) {
    case "{":
      return depth < MAX_DEPTH ? readObject(cursor, depth + 1) : FAULT
    case "[":
      return depth < MAX_DEPTH ? readList(cursor, depth + 1) : FAULT
    case '"':
    case "'":
      return readString(cursor)
    default:
      return readScalar(cursor)
  }
}

function readObject(cursor: Cursor, depth: number): LenientJson | typeof FAULT {
  const fields = new Map<string, LenientJson[]>()
  cursor.at += 1
  for (;;) {
    if (takes(cursor, "}")) return fields
    const sign = cursor.text[cursor.at]
    const key = sign === '"' || sign === "'" ? readString(cursor) : FAULT
    if (key === FAULT || !takes(cursor, ":")) return FAULT
    const value = readValue(cursor, depth)
    if (value === FAULT) return FAULT
    const known = fields.get(key)
    if (known === undefined) fields.set(key, [value])
    else known.push(value)
    if (!takes(cursor, ",") && !isAt(cursor, "}")) return FAULT
  }
}

function readList(cursor: Cursor, depth: number): LenientJson | typeof FAULT {
  const items: LenientJson[] = []
  cursor.at += 1
  for (;;) {
    if (takes(cursor, "]")) return items
    const value = readValue(cursor, depth)
    if (value === FAULT) return FAULT
    items.push(value)
    if (!takes(cursor, ",") && !isAt(cursor, "]")) return FAULT
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" }

function readString(cursor: Cursor): string | typeof FAULT {
  const { text } = cursor
  const quote = text.charAt(cursor.at)
  const parts: string[] = []
  let from = cursor.at + 1
  for (cursor.at = from; cursor.at < text.length; cursor.at += 1) {
    const sign = text.charAt(cursor.at)
    if (sign === quote) {
      parts.push(text.slice(from, cursor.at))
      cursor.at += 1
      return parts.join("")
    }
    if (sign !== "\\") continue
    parts.push(text.slice(from, cursor.at))
    const unit = /^u([\da-fA-F]{4})/.exec(text.slice(cursor.at + 1, cursor.at + 6))?.[1]
    const escaped = text.charAt(cursor.at + 1)
    parts.push(unit === undefined ? (ESCAPES[escaped] ?? escaped) : String.fromCharCode(Number.parseInt(unit, 16)))
    cursor.at += unit === undefined ? 1 : 5
    from = cursor.at + 1
  }
  return FAULT
}

const WORDS: ReadonlyMap<string, LenientJson> = new Map<string, LenientJson>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
  ["NaN", Number.NaN],
])
const SCALAR = /-?\d[\w.+-]{0,400}|[A-Za-z]{1,8}(?!\w)/y
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function readScalar(cursor: Cursor): LenientJson | typeof FAULT {
  const pattern = new RegExp(SCALAR)
  pattern.lastIndex = cursor.at
  const word = pattern.exec(cursor.text)?.[0] ?? ""
  const value = NUMBER.test(word) ? Number(word) : WORDS.get(word)
  if (value === undefined) return FAULT
  cursor.at += word.length
  return value
}

/** Moves past a sign, and returns whether it was there. */
function takes(cursor: Cursor, sign: string): boolean {
  if (!isAt(cursor, sign)) return false
  cursor.at += 1
  skipBlanks(cursor)
  return true
}

function isAt(cursor: Cursor, sign: string): boolean {
  skipBlanks(cursor)
  return cursor.text[cursor.at] === sign
}

function skipBlanks(cursor: Cursor): void {
  while (cursor.at < cursor.text.length && cursor.text.charCodeAt(cursor.at) <= 0x20) cursor.at += 1
}
