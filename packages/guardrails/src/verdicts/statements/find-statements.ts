import { LABEL_KEYS } from "../data/keys.ts"
import { isDeniedBefore, remarkTakesBack } from "../objections/remark-takes-back.ts"
import { plainKey } from "../text/plain-words.ts"
import { findJsonRegions, type JsonRegion } from "./json-regions.ts"
import { jsonEntries, jsonStatements } from "./json-statements.ts"
import { findMentions } from "./mentions.ts"
import type { Aside, Findings, Statement } from "./statement.ts"
import { textStatements } from "./text-statements.ts"

export interface Found extends Findings {
  /** The answer without the JSON that was read. If an object contains one word under a label, the word takes its place. */
  readonly text: string
  /** The same text without the statements that were read. */
  readonly rest: string
  /** The values in the JSON beside verdicts. */
  readonly asides: readonly Aside[]
  /** Whether a bracket is still open at the end of the answer. */
  readonly isOpen: boolean
}

/** Finds all statements of an answer: in valid JSON with a verdict, and in the text around it. */
export function findStatements(text: string, isCut: boolean): Found {
  const { regions, isOpen } = findJsonRegions(text)
  const statements: Statement[] = []
  const categories: string[] = []
  const asides: Aside[] = []
  const rest: string[] = []
  let score: number | undefined
  let from = 0
  for (const [index, region] of regions.entries()) {
    const json = text.slice(region.start, region.end)
    const found = jsonStatements(json)
    const wrapped = found.statements.length === 0 ? wrappedText(json) : ""
    if (wrapped === undefined) continue
    rest.push(text.slice(from, region.start))
    from = region.end
    if (found.statements.length === 0) {
      asides.push(...found.asides.filter(({ value }) => value !== wrapped))
      rest.push(wrapped)
      continue
    }
    asides.push(...found.asides)
    const isDoubted = () => isTakenBack(text, region, regions[index + 1]?.start ?? text.length)
    statements.push(...withDoubt(found.statements, isDoubted))
    categories.push(...found.categories)
    score ??= found.score
  }
  rest.push(text.slice(from))
  const around = regions.length === 0 ? text : rest.join("\n")
  const beside = textStatements(around, isCut)
  return {
    text: around,
    rest: beside.rest,
    asides,
    isOpen,
    statements: [...statements, ...beside.statements],
    categories: [...categories, ...beside.categories],
    score,
  }
}

/** Returns whether the words on the line of a safe object take it back. */
function isTakenBack(text: string, { start, end }: JsonRegion, next: number): boolean {
  const line = text.indexOf("\n", end)
  return remarkTakesBack(text.slice(end, line < 0 ? next : Math.min(line, next))) || isDeniedBefore(text, start)
}

function withDoubt(statements: readonly Statement[], isDoubted: () => boolean): readonly Statement[] {
  if (!statements.some(({ value }) => value === "safe") || !isDoubted()) return statements
  return statements.map((one) => (one.value === "safe" ? { ...one, value: "unknown" } : one))
}

/**
 * Returns the texts under labels such as `answer`, or the only text of an object if that text has keys of its own. Returns
 * undefined for any other object: its texts are not the answer, even if they quote one.
 */
function wrappedText(json: string): string | undefined {
  const texts: string[] = []
  let entries = 0
  let only: string | undefined
  for (const { key, value } of jsonEntries(json)) {
    entries += 1
    if (typeof value !== "string") continue
    only = value
    if (key !== undefined && LABEL_KEYS.has(plainKey(key))) texts.push(value)
  }
  if (texts.length > 0) return texts.join("\n")
  return entries === 1 && only !== undefined && findMentions(only).length > 0 ? only : undefined
}
