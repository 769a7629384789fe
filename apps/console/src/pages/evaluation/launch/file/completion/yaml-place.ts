/** Where the caret is in a YAML text, which may be broken. */
export interface YamlPlace {
  /** The keys and the items, as `-`, around the caret. */
  readonly path: readonly string[]
  /** Whether a key or a value is written there. An item of a list may be both. */
  readonly kind: "key" | "value" | "item"
  /** The offset at which it begins. */
  readonly from: number
  /** Whether it is inside of braces or brackets of one line. */
  readonly isInline: boolean
}

/** A key, or a hyphen of a list. */
export interface Token {
  readonly column: number
  /** A key, or `-`. */
  readonly name: string
}

const KEY = /^("(?:[^"\\]|\\.)*"|'[^']*'|[\w./@ -]*?[\w./@-])\s*:(?=\s|$)/u
/** Lines above the caret that are read. */
const MAX_LINES = 2000

/** Returns where an offset of a YAML text is, by indents alone: the text can be broken elsewhere. Undefined in a comment or in a text of many lines. */
export function yamlPlace(text: string, offset: number): YamlPlace | undefined {
  const start = text.lastIndexOf("\n", offset - 1) + 1
  const line = text.slice(start, offset)
  if (/^\s*#|\s#/u.test(line)) return undefined
  const { tokens, rest, column } = readLine(line)
  const last = tokens.at(-1)
  const isValue = last !== undefined && last.name !== "-" && rest.column > last.column
  const [first] = tokens
  const outer = { column: first?.column ?? column, isInItem: first?.name === "-" }
  const above = pathAbove(text.slice(0, start).split("\n").slice(-MAX_LINES), outer)
  const path = [...above, ...tokens.map(({ name }) => name)]
  const from = start + rest.column
  const inline = isValue || last?.name === "-" ? inlinePlace(rest.text) : undefined
  if (inline !== undefined) {
    return { path: [...path, ...inline.path], kind: inline.kind, from: from + inline.from, isInline: true }
  }
  if (isValue) return { path, kind: "value", from, isInline: false }
  return { path, kind: last?.name === "-" ? "item" : "key", from, isInline: false }
}

/** Reads the hyphens and the key of a line, and what follows them. */
function readLine(line: string) {
  const tokens: Token[] = []
  let column = /^ */u.exec(line)?.[0].length ?? 0
  for (let hyphen = /^- +/u.exec(line.slice(column)); hyphen !== null; hyphen = /^- +/u.exec(line.slice(column))) {
    tokens.push({ column, name: "-" })
    column += hyphen[0].length
  }
  const key = KEY.exec(line.slice(column))
  if (key === null) return { tokens, column, rest: { text: line.slice(column), column } }
  tokens.push({ column, name: unquoted(key[1] ?? "") })
  const after = line.slice(column + key[0].length)
  const blanks = after.length - after.trimStart().length
  return { tokens, column, rest: { text: after.trimStart(), column: column + key[0].length + blanks } }
}

/** Returns the keys and items that lines above a column are in, from the outside in. */
function pathAbove(lines: readonly string[], { column, isInItem }: { readonly column: number; readonly isInItem: boolean }): readonly string[] {
  const path: string[] = []
  let limit = column
  let isItem = isInItem
  for (const line of lines.toReversed()) {
    if (limit === 0 && !isItem) break
    if (line.trim() === "" || /^\s*#/u.test(line)) continue
    for (const token of readLine(line).tokens.toReversed()) {
      // The hyphens of a list may begin in the column of its key.
      const isAround = token.column < limit || (isItem && token.name !== "-" && token.column === limit)
      if (!isAround) continue
      path.unshift(token.name)
      limit = token.column
      isItem = token.name === "-"
    }
  }
  return path
}

interface InlinePlace extends Pick<YamlPlace, "path" | "kind"> {
  readonly from: number
}

/** Returns where the end of a text is that begins with a brace or a bracket. Undefined: it is outside of them. */
function inlinePlace(text: string): InlinePlace | undefined {
  const open: { kind: "{" | "["; key: string | undefined; from: number }[] = []
  let quote: string | undefined
  for (const [at, character] of [...text].entries()) {
    const inner = open.at(-1)
    if (quote !== undefined) {
      if (character === quote) quote = undefined
    } else if ((character === '"' || character === "'") && text.slice(inner?.from, at).trim() === "") quote = character
    else if (character === "{" || character === "[") open.push({ kind: character, key: undefined, from: at + 1 })
    else if (character === "}" || character === "]") open.pop()
    else if (inner === undefined) return undefined
    else if (character === ",") Object.assign(inner, { key: undefined, from: at + 1 })
    else if (character === ":" && inner.kind === "{" && inner.key === undefined) {
      Object.assign(inner, { key: unquoted(text.slice(inner.from, at).trim()), from: at + 1 })
    }
  }
  const inner = open.at(-1)
  if (inner === undefined) return undefined
  const path = open.flatMap(({ kind, key }) => (kind === "[" ? ["-"] : key === undefined ? [] : [key]))
  const blanks = text.slice(inner.from).length - text.slice(inner.from).trimStart().length
  const kind = inner.kind === "{" && inner.key === undefined ? "key" : inner.kind === "[" ? "item" : "value"
  return { path, kind, from: inner.from + blanks }
}

/** Returns the hyphens and the key of a line, each with its column. A line without them, such as an empty one, has none. */
export function tokensOf(line: string): readonly Token[] {
  return /^\s*#/u.test(line) ? [] : readLine(line).tokens
}

function unquoted(key: string): string {
  return key.replace(/^(["'])(.*)\1$/u, "$2")
}
