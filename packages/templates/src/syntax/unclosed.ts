import { templateFault, type TemplateFault } from "../faults/template-fault.ts"
import type { TemplateToken } from "./token-lines.ts"

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["{{", "}}"],
  ["{%", "%}"],
  ["{#", "#}"],
])
const OPENING = /\{[{%#]/g
const IN_TAG = /'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|['"]|[%}]\}/g

const BLOCKS = new Set(["if", "for", "macro", "call", "filter", "set"])

/** Finds the first tag, or the first string within a tag, that is never closed. */
export function unclosedTag(source: string): TemplateFault | undefined {
  for (let at = 0; ;) {
    OPENING.lastIndex = at
    const opening = OPENING.exec(source)
    if (opening === null) return undefined
    const closing = CLOSING.get(opening[0]) ?? ""
    const line = source.slice(0, opening.index).split("\n").length
    const end =
      opening[0] === "{#" ? source.indexOf(closing, opening.index + 2) : endOfTag(source, opening.index + 2, closing)
    if (end === -1) return templateFault(line, `can't be parsed: '${opening[0]}' is not closed with '${closing}'`)
    at = end + 2
  }
}

/** Returns the index of `closing` outside of strings, or -1. */
function endOfTag(source: string, from: number, closing: string): number {
  IN_TAG.lastIndex = from
  for (let found = IN_TAG.exec(source); found !== null; found = IN_TAG.exec(source)) {
    if (found[0] === closing) return found.index
    if (found[0] === "'" || found[0] === '"') return -1
  }
  return -1
}

/** Finds the innermost block that is still open at the end of a template. */
export function unclosedBlock(tokens: readonly TemplateToken[], lines: readonly number[]): TemplateFault {
  const open: { readonly word: string; readonly line: number }[] = []
  tokens.forEach(({ type }, index) => {
    const word = tokens[index + 1]?.value ?? ""
    if (type !== "OpenStatement") return
    if (word.startsWith("end") && open.at(-1)?.word === word.slice(3)) open.pop()
    else if (BLOCKS.has(word) && !isAssignment(tokens, index, word)) open.push({ word, line: lines[index] ?? 1 })
  })
  const last = open.at(-1)
  if (last === undefined) return templateFault(lines.at(-1) ?? 1, "can't be parsed: it ends too early")
  return templateFault(last.line, `can't be parsed: '${last.word}' is not closed with 'end${last.word}'`)
}

/** Whether a `set` assigns a value, and so needs no `endset`. */
function isAssignment(tokens: readonly TemplateToken[], from: number, word: string): boolean {
  if (word !== "set") return false
  const end = tokens.findIndex(({ type }, index) => index > from && type === "CloseStatement")
  return tokens.slice(from, end === -1 ? tokens.length : end).some(({ type }) => type === "Equals")
}
