import { fieldsOf } from "@assay/json"
import type { EvaluationJob } from "@assay/schemas"

/** Characters of a prompt by which jobs are told apart. */
const MAX_PROMPT = 400

/** Returns what the tasks of a job ask, as text on one line. Empty if nothing is asked. */
export function promptOf({ config: { tasks = {} } }: Pick<EvaluationJob, "config">): string {
  const parts = Object.values(tasks).map(({ params }) => {
    const { template, conversation } = params ?? {}
    if (conversation !== undefined) return textOf([conversation.system, conversation.turns])
    return textOf(template)
  })
  return parts.join(" · ").replaceAll(/\s+/gu, " ").trim().slice(0, MAX_PROMPT)
}

/** Returns the words of a template: of messages, their contents. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value
  if (Array.isArray(value)) return value.map(textOf).join(" ").trim()
  const { content, user, text, prompt, messages } = fieldsOf(value)
  return textOf([content, user, text, prompt, messages].filter((part) => part !== undefined))
}

/** Characters that texts have in common at their beginning before it is left out. */
const MIN_COMMON = 30
/** Characters of the common part that are shown. */
const KEPT = 16

/** Returns texts from the word before they part, so that a line of each shows how they differ. */
export function partingTexts(texts: readonly string[]): readonly string[] {
  const [first = "", ...others] = texts
  const common = others.reduce((length, text) => {
    const at = Array.from({ length }, (_, index) => index).find((index) => text[index] !== first[index])
    return at ?? length
  }, first.length)
  const word = first.lastIndexOf(" ", common - KEPT) + 1
  // A field of a template is shown whole.
  const field = first.lastIndexOf("{{", word)
  const start = field > first.lastIndexOf("}}", word) ? field : word
  return others.length === 0 || common < MIN_COMMON || start === 0
    ? texts
    : texts.map((text) => `… ${text.slice(start)}`)
}
