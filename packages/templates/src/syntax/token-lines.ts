/** A token of the template engine's lexer, which has no position. */
export interface TemplateToken {
  readonly type: string
  readonly value: string
}

/** Matches the beginning of a tag. The engine removes `generation` tags before it looks for others. */
const TAG = /\{%-?\s*(?:end)?generation\s*-?%\}|\{[{%#]/g
const SPACE = /\s*/y

/** Finds the line, from 1, on which each token begins in the source. */
export function tokenLines(source: string, tokens: readonly TemplateToken[]): readonly number[] {
  let at = 0
  let line = 1
  let counted = 0

  function lineAt(position: number): number {
    for (; counted < position; counted++) if (source.charCodeAt(counted) === 10) line++
    return line
  }

  function toNextTag(): void {
    TAG.lastIndex = at
    let found = TAG.exec(source)
    while (found !== null && found[0].length > 3) found = TAG.exec(source)
    at = found === null ? source.length : found.index
  }

  function pastSpace(): void {
    SPACE.lastIndex = at
    at += SPACE.exec(source)?.[0].length ?? 0
  }

  return tokens.map(({ type, value }) => {
    if (type === "Text") return lineAt(at)
    if (type === "Comment" || type === "OpenStatement" || type === "OpenExpression") toNextTag()
    else pastSpace()
    if (type.startsWith("Close") && source[at] === "-" && value.length === 2) at++
    const begun = lineAt(at)
    at = endOf(source, at, { type, value })
    return begun
  })
}

function endOf(source: string, at: number, { type, value }: TemplateToken): number {
  if (type === "Comment") return after(source.indexOf("#}", at), 2, source)
  if (type === "OpenStatement" || type === "OpenExpression") return at + (source[at + 2] === "-" ? 3 : 2)
  if (type !== "StringLiteral") return at + value.length
  const quote = source[at] ?? ""
  for (let end = at + 1; end < source.length; end++) {
    if (source[end] === "\\") end++
    else if (source[end] === quote) return end + 1
  }
  return source.length
}

function after(position: number, length: number, source: string): number {
  return position === -1 ? source.length : position + length
}
