import { TemplateSyntaxFailure } from "./syntax-failure.ts"

const ESCAPE = /\\(?:\n|x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|([0-7]{1,3})|([^]))/gi
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["a", "\u0007"],
  ["'", "'"],
  ['"', '"'],
  ["\\", "\\"],
])

/** Returns the text of a string literal without its quotes, with the escapes of Python. Unknown escapes stay as they are. */
export function stringOf(source: string, line: number): string {
  return source.replaceAll(ESCAPE, (whole: string, ...[hex, short, long, octal, letter]: (string | undefined)[]) => {
    const code = hex ?? short ?? long
    if (code !== undefined) return codePoint(Number.parseInt(code, 16), line)
    if (octal !== undefined) return codePoint(Number.parseInt(octal, 8), line)
    if (letter === undefined) return ""
    if (letter === "x" || letter === "u" || letter === "U" || letter === "N") {
      throw new TemplateSyntaxFailure(`Invalid escape sequence: ${whole}`, line)
    }
    return CHARACTERS.get(letter) ?? whole
  })
}

function codePoint(code: number, line: number): string {
  if (code <= 0x10ffff) return String.fromCodePoint(code)
  throw new TemplateSyntaxFailure(`Invalid escape sequence: \\U${code.toString(16)}`, line)
}
