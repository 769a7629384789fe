import { AssayError } from "@assay/schemas"

/** A call in Python source. */
export interface PythonCall {
  readonly name: string
  readonly positional: readonly unknown[]
  readonly named: Readonly<Record<string, unknown>>
}

/** A part of the source. */
type Token =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "name"; readonly text: string }
  | { readonly kind: "mark"; readonly text: string }

const TOKEN =
  /\s*(?:([A-Za-z_][\w.]*)|([+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|('(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*")|([()[\]{},:=]))/y
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["True", true],
  ["False", false],
  ["None", null],
])
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["\n", ""],
])
const MAX_LENGTH = 100_000
const MAX_DEPTH = 20

/**
 * Parses a call with literals as arguments, as in the ground truth of BFCL: `mv(source='a.txt', destination="b")`. A tuple becomes a list.
 * @throws `rows_invalid` for anything else
 */
export function parsePythonCall(source: string): PythonCall {
  const tokens = tokensOf(source)
  let at = 0
  const fail = (): never => {
    throw new AssayError("rows_invalid", `'${source.slice(0, 80)}' is not a call with literals in Python.`)
  }
  const isNext = (text: string, offset = 0) => {
    const token = tokens[at + offset]
    return token?.kind === "mark" && token.text === text
  }
  const take = (text: string) => (isNext(text) ? (at += 1) : fail())

  function items<Item>(end: string, item: () => Item): readonly Item[] {
    const list: Item[] = []
    while (!isNext(end)) {
      list.push(item())
      if (!isNext(end)) take(",")
    }
    take(end)
    return list
  }

  function value(depth: number): unknown {
    if (depth > MAX_DEPTH) return fail()
    const token = tokens[at] ?? fail()
    at += 1
    if (token.kind === "value") return token.value
    if (token.kind === "name") return WORDS.has(token.text) ? WORDS.get(token.text) : fail()
    if (token.text === "[") return items("]", () => value(depth + 1))
    if (token.text === "(") return items(")", () => value(depth + 1))
    if (token.text !== "{") return fail()
    return Object.fromEntries(
      items("}", () => {
        const key = value(depth + 1)
        take(":")
        return [typeof key === "string" ? key : fail(), value(depth + 1)] as const
      }),
    )
  }

  const name = tokens[0]?.kind === "name" ? tokens[0].text : fail()
  at = 1
  take("(")
  const given = items(")", () => {
    const token = tokens[at]
    if (token?.kind !== "name" || !isNext("=", 1)) return { value: value(0) }
    at += 2
    return { key: token.text, value: value(0) }
  })
  if (at < tokens.length || tokens.length === 0) fail()
  const named = given.flatMap((one) => (one.key === undefined ? [] : [[one.key, one.value] as const]))
  return {
    name,
    positional: given.flatMap((one) => (one.key === undefined ? [one.value] : [])),
    named: Object.fromEntries(named),
  }
}

/** Returns the tokens of a source; none if it is too long or has anything that is not a token. */
function tokensOf(source: string): readonly Token[] {
  const text = source.trim()
  const tokens: Token[] = []
  if (text.length > MAX_LENGTH) return []
  const pattern = new RegExp(TOKEN)
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text)
    if (found === null) return []
    const [, name, number, string, mark = ""] = found
    if (name !== undefined) tokens.push({ kind: "name", text: name })
    else if (number !== undefined) tokens.push({ kind: "value", value: Number(number.replaceAll("_", "")) })
    else if (string !== undefined) tokens.push({ kind: "value", value: unescaped(string.slice(1, -1)) })
    else tokens.push({ kind: "mark", text: mark })
  }
  return tokens
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|([^]))/g, (whole, byte, unit, other: string) => {
    const code: string | undefined = byte ?? unit
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    return ESCAPES.get(other) ?? (/["'\\]/.test(other) ? other : whole)
  })
}
