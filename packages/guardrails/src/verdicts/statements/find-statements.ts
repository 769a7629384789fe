import { LABEL_KEYS } from "../data/label-keys.ts"
import { isDeniedBefore, remarkTakesBack } from "../objections/remark-takes-back.ts"
import { plainKey } from "../text/plain-words.ts"
import { findJsonRegions, type JsonRegion } from "./json-regions.ts"
import { jsonEntries, jsonStatements } from "./json-statements.ts"
import { findMentions } from "./mentions.ts"
import type { Aside, Findings, Statement } from "./statement.ts"
import { textStatements } from "./text-statements.ts"

export interface Found extends Findings {
  /** The answer without the JSON that was read as such; of an object that holds a word under a label, the word. */
  readonly text: string
  /** The same without the statements that were read. */
  readonly rest: string
  /** What stands in the JSON beside verdicts. */
  readonly asides: readonly Aside[]
  /** Whether a bracket is open where the answer ends. */
  readonly isOpen: boolean
}

/** Finds all that an answer states: in JSON that parses and holds a verdict, and in the text around it. */
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
    ...(score === undefined ? {} : { score }),
  }
}

/** Whether the words on the line of an object that says safe take it back. */
function isTakenBack(text: string, { start, end }: JsonRegion, next: number): boolean {
  const line = text.indexOf("\n", end)
  return remarkTakesBack(text.slice(end, line < 0 ? next : Math.min(line, next))) || isDeniedBefore(text, start)
}

function withDoubt(statements: readonly Statement[], isDoubted: () => boolean): readonly Statement[] {
  if (!statements.some(({ value }) => value === "safe") || !isDoubted()) return statements
  return statements.map((one) => (one.value === "safe" ? { ...one, value: "unknown" } : one))
}

/**
 * A label such as `answer` announces the answer, and an object of one text may wrap one that has keys of its own. Other texts say
 * other things, and what they quote is no answer.
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
