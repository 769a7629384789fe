import type { GuardrailPrompt } from "@assay/schemas"

/** The names of the two texts that rails judge. */
export type JudgedName = "user_input" | "bot_response"

/** A message of a prompt that is only one of the two texts. The parts of the judged message can take its place. */
const ONLY_TEXT = /^\s*\{\{-?\s*(user_input|bot_response)\s*-?\}\}\s*$/

/**
 * Returns the texts whose parts a prompt can show to its judge: those that are a message of their own, as in configurations with a
 * multimodal judge. Any other prompt puts the text between words of its own, where an image can't be.
 */
export function shownParts({ messages = [] }: Pick<GuardrailPrompt, "messages">): ReadonlySet<JudgedName> {
  return new Set(
    messages.flatMap((part) => {
      const name = typeof part === "string" ? undefined : onlyText(part.content)
      return name === undefined ? [] : [name]
    }),
  )
}

/** Returns the text that a template consists of. */
export function onlyText(template: string): JudgedName | undefined {
  const name = ONLY_TEXT.exec(template)?.[1]
  return name === "user_input" || name === "bot_response" ? name : undefined
}
