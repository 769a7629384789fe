export interface JsonFault {
  /** Index of the first character that can't be there. */
  readonly at: number
  /** What should be there instead, or what is wrong with what is there. */
  readonly expected: string
}

/** What the grammar asks for next. */
type Next = "value" | "first item" | "key" | "first key" | "colon" | "more"

const SPACE = /[ \t\n\r]*/y
const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|/y
// oxlint-disable-next-line no-control-regex -- JSON forbids just these within strings
const PLAIN = /[^"\\\u0000-\u001f]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|/y

/** Where `text`, which is not JSON, stops being it. The engine's own message tells the place only at times. */
export function findJsonFault(text: string): JsonFault {
  const open: string[] = []
  let next = "value" as Next
  let at = after(SPACE, text, 0)
  for (;;) {
    const character = text[at]
    if (next === "more") {
      const close = open.at(-1)
      if (close === undefined) return { at, expected: "expected nothing more" }
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
      return { at, expected: "expected a key in double quotes" }
    } else if (character === "{" || character === "[") {
      open.push(character === "{" ? "}" : "]")
      next = character === "{" ? "first key" : "first item"
      at++
    } else {
      const end = after(SCALAR, text, at)
      if (end === at) return { at, expected: "expected a value" }
      next = "more"
      at = end
    }
    at = after(SPACE, text, at)
  }
}

/** The first character behind what `pattern` takes from `at` on. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  pattern.exec(text)
  return pattern.lastIndex
}

/** Where the string that begins at `open` ends, or can't go on. */
function endOfString(text: string, open: number): number {
  for (let at = open + 1; ;) {
    const plain = after(PLAIN, text, at)
    at = after(ESCAPE, text, plain)
    if (at === plain) return at
  }
}

/** Why a string can't go on with `character`, or end where there is none. */
function stringFault(character: string | undefined): string {
  if (character === undefined) return "expected '\"'"
  return character === "\\" ? "no such escape" : "control character that is not escaped"
}
