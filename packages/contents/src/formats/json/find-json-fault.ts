export interface JsonFault {
  /** Index of the first character that is not allowed. */
  readonly at: number
  /** The expected text, or the fault of the character. */
  readonly expected: string
  /** The form of the text, if programs often write it, and the form that JSON requires. */
  readonly hint?: string
}

/** The next token that the grammar expects. */
type Next = "value" | "first item" | "key" | "first key" | "colon" | "more"

const SPACE = /[ \t\n\r]*/y
const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|/y
// oxlint-disable-next-line no-control-regex -- JSON forbids just these within strings
const PLAIN = /[^"\\\u0000-\u001f]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|/y

/** Finds the position where `text` stops being valid JSON. The engine's own message names the position only sometimes. */
export function findJsonFault(text: string): JsonFault {
  const open: string[] = []
  let next = "value" as Next
  let at = after(SPACE, text, 0)
  for (;;) {
    const character = text[at]
    if (next === "more") {
      const close = open.at(-1)
      if (close === undefined) return { at, expected: "expected nothing more", ...hintAfter(text, at) }
      if (character === close) open.pop()
      else if (character === ",") next = close === "}" ? "key" : "value"
      else return { at, expected: `expected ',' or '${close}'` }
      at++
    } else if (next === "colon") {
      if (character !== ":") return { at, expected: "expected ':'" }
      next = "value"
      at++
    } else if ((next === "first item" && character === "]") || (next === "first key" && character === "}")) {
      next = "more"
    } else if (character === '"') {
      at = endOfString(text, at)
      if (text[at] !== '"') return { at, expected: stringFault(text[at]) }
      next = next === "key" || next === "first key" ? "colon" : "more"
      at++
    } else if (next === "key" || next === "first key") {
      return { at, expected: "expected a key in double quotes", ...hintAt(text, at) }
    } else if (character === "{" || character === "[") {
      open.push(character === "{" ? "}" : "]")
      next = character === "{" ? "first key" : "first item"
      at++
    } else {
      const end = after(SCALAR, text, at)
      if (end === at) return { at, expected: "expected a value", ...hintAt(text, at) }
      next = "more"
      at = end
    }
    at = after(SPACE, text, at)
  }
}

/** Words that other languages write for values that JSON has not, or writes in another way. */
const WORD = /-?(?:NaN|Infinity|inf|nan)\b|None\b|True\b|False\b|undefined\b|NA\b/y

/** Ways in which programs begin a line that has JSON behind it or none at all, and what to do. */
const PREFIXES: readonly (readonly [prefix: RegExp, hint: string])[] = [
  [/^\ufeff/, "the row begins with a byte order mark, as after joining files; remove it"],
  [/^(?:data|event|id|retry):/, "it is an event of a stream (text/event-stream); write only the JSON behind 'data:'"],
  // oxlint-disable-next-line no-control-regex -- JSON text sequences begin with it (RFC 7464)
  [/^\u001e/, "it begins with U+001E, as in JSON text sequences; remove this character"],
  // oxlint-disable-next-line no-control-regex -- file systems leave zeros where bytes were not written
  [/^\u0000/, "it begins with bytes that are 0, as after a crash or a full disk; copy the file again"],
  [/^(?:\/\/|\/\*|#|--)/, "JSON has no comments; remove the line"],
]

/** Says what follows a whole value in a line, and how to write it. */
function hintAfter(text: string, at: number): { readonly hint?: string } {
  const character = text[at]
  if (character === "," && text.slice(at + 1).trim() === "") {
    return { hint: "a comma follows the row; remove it, because lines are not items of an array" }
  }
  if (character === "{" || character === "[") return { hint: "a second value follows; write one value per line" }
  return {}
}

/** Names a frequent value of other languages or a frequent begin of a line, and what to write in JSON. */
function hintAt(text: string, at: number): { readonly hint?: string } {
  const prefix = at === 0 ? PREFIXES.find(([begin]) => begin.test(text)) : undefined
  if (prefix !== undefined) return { hint: prefix[1] }
  if (text[at] === "'")
    return { hint: "single quotes are Python; write the row with json.dumps, which uses double quotes" }
  const end = after(WORD, text, at)
  if (end === 0) return {}
  const name = text.slice(at, end)
  if (name === "True" || name === "False") return { hint: `JSON has no ${name}; write ${name.toLowerCase()}` }
  if (name === "None" || name === "undefined" || name === "NA") return { hint: `JSON has no ${name}; write null` }
  return { hint: `JSON has no ${name}, although Python writes it; write null, or the text "${name}"` }
}

/** Returns the index after the match of `pattern` at `at`. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  pattern.exec(text)
  return pattern.lastIndex
}

/** Returns the index where the string that starts at `open` ends, or where it becomes invalid. */
function endOfString(text: string, open: number): number {
  for (let at = open + 1; ;) {
    const plain = after(PLAIN, text, at)
    at = after(ESCAPE, text, plain)
    if (at === plain) return at
  }
}

/** Says why a string can't continue with `character`, or can't end if that is undefined. */
function stringFault(character: string | undefined): string {
  if (character === undefined) return "expected '\"'"
  return character === "\\" ? "no such escape" : "control character that is not escaped"
}
