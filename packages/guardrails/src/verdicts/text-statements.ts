import { isHedged } from "./is-hedged.ts"
import { findMentions, type Mention } from "./mentions.ts"
import { readTextValue } from "./read-text-value.ts"
import { rewriteTables } from "./rewrite-tables.ts"
import { readTextCategories } from "./read-text-categories.ts"
import type { Findings, Statement, Value } from "./statement.ts"

/** What a text states in lines, tables and damaged JSON. `isCut` says that the answer was ended from outside. */
export function textStatements(answer: string, isCut: boolean): Findings {
  const text = rewriteTables(answer)
  const mentions = findMentions(text)
  const statements: Statement[] = []
  const categories: string[] = []
  for (const [index, mention] of mentions.entries()) {
    const next = mentions[index + 1]
    const part = text.slice(mention.valueStart, next?.start ?? text.length)
    if (mention.key !== undefined) statements.push(statementOf(mention, mention.key, part, next === undefined))
    else if (mention.isAnchored) categories.push(...readTextCategories(part, next === undefined, isCut))
  }
  return { statements, categories }
}

function statementOf(
  mention: Mention,
  { side, group, vocabulary }: NonNullable<Mention["key"]>,
  part: string,
  isLast: boolean,
): Statement {
  const { value, remark } = readTextValue(part, vocabulary, isLast)
  return { side, group, value: withRemark(value, remark), isJson: false, isAnchored: mention.isAnchored }
}

/** A remark behind the word "safe" that takes it back leaves nothing that could be trusted. */
function withRemark(value: Value, remark: string): Value {
  return value === "safe" && isHedged(remark) ? "unknown" : value
}
