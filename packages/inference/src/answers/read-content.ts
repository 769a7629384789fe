import { fieldsOf } from "@assay/json"
type Fields = Readonly<Record<string, unknown>>

/** The texts in the content of a message. Null: it has none of that kind. */
export interface ContentTexts {
  readonly text: string | null
  /** Reasoning in parts of its own. */
  readonly reasoning: string | null
  readonly refusal: string | null
}

/** Reads the content of a message: a text, or a list of parts. Parts of reasoning and refusals are not parts of the answer. */
export function readContent(content: unknown): ContentTexts {
  if (!Array.isArray(content)) return { text: wordOf(content), reasoning: null, refusal: null }
  const parts = content.map((part) => fieldsOf(part))
  const reasoning = parts.filter(isReasoning)
  return {
    text: joined(parts.filter((part) => !isReasoning(part)).map(({ text }) => wordOf(text))),
    reasoning: joined(
      reasoning.map(({ text, thinking, reasoning, summary }) => textsIn([text, thinking, reasoning, summary])),
    ),
    refusal: joined(parts.map(({ refusal }) => wordOf(refusal))),
  }
}

function isReasoning({ type }: Fields): boolean {
  return typeof type === "string" && /^(?:redacted_)?(?:reasoning|thinking)\b/.test(type)
}

/** Returns the texts, and those of lists of parts. */
function textsIn(values: readonly unknown[]): string | null {
  return joined(
    values.flatMap((value) =>
      Array.isArray(value) ? value.map((one) => wordOf(fieldsOf(one)["text"])) : [wordOf(value)],
    ),
  )
}

function joined(texts: readonly (string | null)[]): string | null {
  const found = texts.filter((text) => text !== null)
  return found.length === 0 ? null : found.join("")
}

function wordOf(value: unknown): string | null {
  return typeof value === "string" ? value : null
}
