import type { TemplateToken } from "./token-lines.ts"

/** The characters in a template for each type of the parser's tokens. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["OpenExpression", "'{{'"],
  ["CloseExpression", "'}}'"],
  ["OpenStatement", "'{%'"],
  ["CloseStatement", "'%}'"],
  ["OpenParen", "'('"],
  ["CloseParen", "')'"],
  ["OpenSquareBracket", "'['"],
  ["CloseSquareBracket", "']'"],
  ["OpenCurlyBracket", "'{'"],
  ["CloseCurlyBracket", "'}'"],
  ["Comma", "','"],
  ["Colon", "':'"],
  ["Dot", "'.'"],
  ["Pipe", "'|'"],
  ["Equals", "'='"],
  ["Identifier", "a name"],
])

/** Maximum number of characters of the template that are shown. */
const MAX_SHOWN = 40

/** Returns a message of the parser about a token in the words of the template: what is expected there, and what stands there. Others stay. */
export function parserWords(message: string, token: TemplateToken | undefined): string {
  const [, wanted] = /\. \w+ !== (\w+)$/.exec(message) ?? []
  const given = token?.value.slice(0, MAX_SHOWN) ?? ""
  const expected = WORDS.get(wanted ?? "")
  if (expected !== undefined) return `${expected} is expected before '${given}'`
  return /^Unexpected token: \w+$/.test(message) ? `'${given}' is not expected here` : message
}
