import type { JudgeMessage } from "../verdict-reading.ts"

/** What is read of an answer, be it text or a whole message. */
export interface MessageText {
  readonly text: string
  readonly reasoning: string | null
  readonly isRefusal: boolean
  readonly isFiltered: boolean
  /** The answer was ended by the limit of tokens. */
  readonly isCut: boolean
}

const THOUGHTS: ReadonlySet<unknown> = new Set(["reasoning", "thinking", "redacted_thinking"])

/** Takes apart what came as an answer. Whatever it is, it has a text, which may be empty. */
export function messageText(answer: unknown): MessageText {
  if (typeof answer === "string") {
    return { text: answer, reasoning: null, isRefusal: false, isFiltered: false, isCut: false }
  }
  const message: JudgeMessage = typeof answer === "object" && answer !== null ? answer : {}
  const parts = Array.isArray(message.content) ? (message.content as readonly unknown[]) : [message.content]
  const written = parts.map((part) => partOf(part))
  const reasoning = [message.reasoning, message.reasoning_content, ...written.map((part) => part.reasoning)]
  return {
    text: written
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join("\n"),
    reasoning: reasoning.find((text) => typeof text === "string" && text.trim() !== "") ?? null,
    isRefusal: isText(message.refusal) || written.some((part) => part.isRefusal),
    isFiltered: message.finish_reason === "content_filter",
    isCut: message.finish_reason === "length" || message.finish_reason === "max_tokens",
  }
}

interface Part {
  readonly text: string
  readonly reasoning?: string
  readonly isRefusal?: boolean
}

function partOf(part: unknown): Part {
  if (typeof part === "string") return { text: part }
  if (typeof part !== "object" || part === null) return { text: "" }
  const { type, text, refusal, thinking } = part as Readonly<Record<string, unknown>>
  if (isText(refusal)) return { text: "", isRefusal: true }
  const written = typeof text === "string" ? text : ""
  if (!THOUGHTS.has(type)) return { text: written }
  return { text: "", reasoning: typeof thinking === "string" ? thinking : written }
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== ""
}
