import { answerEnd, finishReasonOf } from "@assay/schemas"
import type { JudgeMessage } from "../../verdict-reading.ts"

/** The parts of an answer that are read, from a text or a whole message. */
export interface MessageText {
  readonly text: string
  readonly reasoning: string | null
  readonly isRefusal: boolean
  readonly isFiltered: boolean
  /** The token limit, or a failure, ended the answer. */
  readonly isCut: boolean
}

const THOUGHTS: ReadonlySet<unknown> = new Set(["reasoning", "thinking", "redacted_thinking"])

/** Reads any value as an answer. The result always has a text, which may be empty. */
export function messageText(answer: unknown): MessageText {
  if (typeof answer === "string") {
    return { text: answer, reasoning: null, isRefusal: false, isFiltered: false, isCut: false }
  }
  const message: JudgeMessage = typeof answer === "object" && answer !== null ? answer : {}
  const { finish_reason: reason } = message
  const end = answerEnd(finishReasonOf(reason))
  const parts = Array.isArray(message.content) ? (message.content as readonly unknown[]) : [message.content]
  const written = parts.map((part) => partOf(part))
  const called = [
    ...listOf(message.tool_calls).map(argumentsOf),
    ...listOf(message.function_call).map((one) => argumentsOf({ function: one })),
  ]
  const reasoning = [message.reasoning, message.reasoning_content, ...written.map((part) => part.reasoning)]
  return {
    text: [...written.map(({ text }) => text), ...called].filter((text) => text !== "").join("\n"),
    reasoning: reasoning.find((text) => typeof text === "string" && text.trim() !== "") ?? null,
    isRefusal: isText(message.refusal) || written.some((part) => part.isRefusal),
    isFiltered: end === "filtered",
    isCut: end === "cut" || end === "failed",
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
  const { type, text, refusal, thinking, input } = part as Readonly<Record<string, unknown>>
  if (isText(refusal)) return { text: "", isRefusal: true }
  const written =
    typeof text === "string" ? text : (text === undefined ? textOrJson(input) : textOrJson(text)) || otherForm(part)
  if (!THOUGHTS.has(type)) return { text: written }
  return { text: "", reasoning: typeof thinking === "string" ? thinking : written }
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== ""
}

/** Returns the arguments of tool calls, which contain the verdict of a judge that answers by a tool call. */
function argumentsOf(call: unknown): string {
  const called = fieldOf(call, "function")
  const given = fieldOf(called, "arguments") ?? fieldOf(call, "arguments") ?? fieldOf(call, "input")
  // A call of another form can contain a verdict too.
  return given === undefined ? otherForm(call) : textOrJson(given)
}

/** Returns the arguments, which are JSON text or an object. */
function textOrJson(value: unknown): string {
  if (typeof value === "string") return value
  return typeof value === "object" && value !== null ? JSON.stringify(value) : ""
}

/** Returns all texts of an object. */
function otherForm(value: unknown): string {
  const json = typeof value === "object" ? textOrJson(value) : ""
  return json.includes(':"') ? json : ""
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
