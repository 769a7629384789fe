import type { ChatMessage, TokenUsage } from "@assay/schemas"

/** The messages of an agent, in the form in which conversations are kept. */
export interface Transcript {
  readonly output_text: string | null
  /** Without the task, unless the agent repeats it. */
  readonly messages: readonly ChatMessage[]
  readonly usage: TokenUsage | null
  readonly state?: unknown
}

/** Returns the text of a message: its content, or the texts among its parts. Null: it has none. */
export function textOfContent(content: unknown): string | null {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return null
  const texts = content.flatMap((part: unknown) => {
    const text = typeof part === "object" && part !== null && "text" in part ? part.text : undefined
    return typeof text === "string" ? [text] : []
  })
  return texts.length === 0 ? null : texts.join("\n")
}
