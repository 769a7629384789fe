import { AssayError } from "@assay/schemas"

export interface Token {
  readonly kind: "column" | "text" | "number" | "word" | "symbol"
  /** The name, the text or the number without its quotes. */
  readonly text: string
  /** From 1. */
  readonly position: number
}

const MAX_CHARACTERS = 4000

/** Each alternative begins in another way, so that no text is read twice. */
const TOKEN =
  /\s+|"((?:[^"]|"")*)"|'((?:[^']|'')*)'|(-?(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?)(?![\w.])|([A-Za-z_]\w{0,254})|(<>|<=|>=|!=|[=<>(),])/uy

/** Cuts a clause into names in double quotes, texts in single quotes, numbers, words and symbols. @throws `bad_filter` */
export function tokenize(text: string, parameter: string): readonly Token[] {
  const bad = (reason: string) => new AssayError("bad_filter", `\`${parameter}\` can't be read: ${reason}.`)
  if (text.length > MAX_CHARACTERS) throw bad(`it has ${text.length} characters; the limit is ${MAX_CHARACTERS}`)
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const position = TOKEN.lastIndex + 1
    const found = TOKEN.exec(text)
    if (found === null) throw bad(`position ${position} is neither a name, a value nor an operator`)
    const [, column, quoted, number, word, symbol] = found
    if (column !== undefined) tokens.push({ kind: "column", text: column.replaceAll('""', '"'), position })
    else if (quoted !== undefined) tokens.push({ kind: "text", text: quoted.replaceAll("''", "'"), position })
    else if (number !== undefined) tokens.push({ kind: "number", text: number, position })
    else if (word !== undefined) tokens.push({ kind: "word", text: word, position })
    else if (symbol !== undefined) tokens.push({ kind: "symbol", text: symbol, position })
  }
  if (tokens.length === 0) throw bad("it is empty")
  return tokens
}
