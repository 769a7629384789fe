import { jsonEntries } from "./json-entries.ts"
import { findJsonRegions } from "./json-regions.ts"
import { jsonStatements } from "./json-statements.ts"
import type { Findings, Statement } from "./statement.ts"
import { textStatements } from "./text-statements.ts"

export interface Found extends Findings {
  /** The answer without the JSON that was read as such. */
  readonly text: string
  /** Whether a bracket is open where the answer ends. */
  readonly isOpen: boolean
}

/** Finds all that an answer states: in JSON that parses and holds a verdict, and in the text around it. */
export function findStatements(text: string, isCut: boolean): Found {
  const { regions, isOpen } = findJsonRegions(text)
  const statements: Statement[] = []
  const categories: string[] = []
  const rest: string[] = []
  let score: number | undefined
  let from = 0
  for (const { start, end } of regions) {
    const found = jsonStatements(text.slice(start, end))
    if (found.statements.length === 0) {
      const wrapped = wrappedText(text.slice(start, end))
      if (wrapped === undefined) continue
      rest.push(text.slice(from, start), wrapped)
      from = end
      continue
    }
    statements.push(...found.statements)
    categories.push(...found.categories)
    score ??= found.score
    rest.push(text.slice(from, start))
    from = end
  }
  rest.push(text.slice(from))
  const around = rest.join("\n")
  const beside = textStatements(around, isCut)
  return {
    text: around,
    isOpen,
    statements: [...statements, ...beside.statements],
    categories: [...categories, ...beside.categories],
    ...(score === undefined ? {} : { score }),
  }
}

/** An object of one text may wrap the answer; one of more entries says other things, and what it quotes is no answer. */
function wrappedText(json: string): string | undefined {
  const [first, second] = jsonEntries(json).take(2)
  return second === undefined && typeof first?.value === "string" ? first.value : undefined
}
