import type { FakeModel } from "../fake-model.ts"
import { askedText } from "./asked-text.ts"

interface Material {
  readonly count?: number
  readonly text?: string
  readonly answer?: string
  readonly context?: string
  readonly contexts?: readonly string[]
  readonly statements?: readonly { readonly number: number; readonly statement: string }[]
}

/**
 * Judges answers over contexts by their words: a text states each of its sentences, and a context supports what shares most of its
 * words. It reads the material of the prompt as JSON between tags.
 */
export const ragJudgeModel: FakeModel = (body) => {
  const { prompt } = askedText(body)
  const found = /<material>([^<]*)<\/material>/.exec(prompt)?.[1]
  if (found === undefined) return { content: "There is no material." }
  const { count, text, answer = "", context, contexts = [], statements = [] } = JSON.parse(found) as Material
  if (count !== undefined) {
    const questions = Array.from({ length: count }, (_, index) => `Question ${index + 1}: what about ${answer}?`)
    return { content: JSON.stringify({ questions, noncommittal: /do not know|not sure/i.test(answer) }) }
  }
  if (text !== undefined) return { content: JSON.stringify({ statements: text.match(/[^.!?]+[.!?]/g) ?? [] }) }
  if (context !== undefined) {
    return { content: JSON.stringify({ reason: "words", useful: overlap(answer, context) >= 0.5 }) }
  }
  const verdicts = statements.map(({ number, statement }) => ({
    number,
    reason: "words",
    supported: overlap(statement, contexts.join(" ")) >= 0.8,
  }))
  return { content: JSON.stringify({ verdicts }) }
}

/** Returns the share of the words of a text that another one has. */
function overlap(text: string, other: string): number {
  const has = new Set(wordsOf(other))
  const words = wordsOf(text)
  return words.filter((word) => has.has(word)).length / Math.max(1, words.length)
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/\p{L}{3,}|\d+/gu) ?? []
}
