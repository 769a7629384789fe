import { fieldsOf, isObject } from "@assay/json"
import { type ActivatedRail, type AssayError, type ChatMessage, type Safety, invalidRequest } from "@assay/schemas"
import type { JudgedName } from "../configuration/shown-parts.ts"
import type { JudgeAnswer, JudgeOptions } from "../judge.ts"

/** The text that rails judge. Its keys are the names that prompts can read. */
export interface RailInput {
  readonly user_input: string
  /** The text of the answer, then its tool calls as texts. */
  readonly bot_response: string
  /** The messages with their contents as text: parts are joined, and the content of the answer is `bot_response`. */
  readonly messages: readonly ChatMessage[]
  /** The parts of the two texts, if not all of them are text. Prompts do not read this key. */
  readonly parts?: Readonly<Partial<Record<JudgedName, MessageParts>>>
}

export type MessageParts = Extract<ChatMessage["content"], readonly unknown[]>

/** The finding of a rail, before a policy turns it into a status. */
export type RailFinding = Safety | "unreadable" | "error"

export interface RailOutcome {
  readonly rail: ActivatedRail
  readonly finding: RailFinding
  /** The error of the judge, if the policy is to pass it on. */
  readonly failure: AssayError | null
  readonly answers: readonly JudgeAnswer[]
}

/** One judge or several, with a direction and a policy. */
export interface Rail {
  /** The name of the flow in the spelling of the configuration. */
  readonly name: string
  /** Judges a text. It throws only the reason of an aborted `signal`; every other failure is in the outcome. */
  run(input: RailInput, options: JudgeOptions): Promise<RailOutcome>
}

/**
 * Returns the text for input rails: the last message of the user.
 * @throws `invalid_request` if there is no message of the user
 */
export function inputOf(messages: readonly ChatMessage[]): RailInput {
  const texts = messages.map(withText)
  const last = texts.findLast(({ role }) => role === "user")
  if (last === undefined) {
    const msg = "has no message of role 'user', which input rails judge; add one"
    throw invalidRequest(["body", "messages"], msg, "missing_user_message")
  }
  const asked = messages.findLast(({ role }) => role === "user")
  return { user_input: last.content, bot_response: "", messages: texts, parts: partsOf({ user_input: asked }) }
}

/** Returns the text for output rails: the assistant's last message, and the last message of the user before it, if there is one. */
export function outputOf(messages: readonly ChatMessage[], response: ChatMessage): RailInput {
  const texts = messages.map(withText)
  const whole = withCalls(response)
  const answer = withText(whole)
  const question = texts.findLast(({ role }) => role === "user")
  const asked = messages.findLast(({ role }) => role === "user")
  return {
    user_input: question?.content ?? "",
    bot_response: answer.content,
    messages: [...texts, answer],
    parts: partsOf({ user_input: asked, bot_response: whole }),
  }
}

/** Adds what an answer wants to call to its content, so that no rail passes a call that its judge did not see. */
function withCalls(response: ChatMessage): ChatMessage {
  const { content, tool_calls: calls, function_call: call } = response
  const all = [...(Array.isArray(calls) ? calls : []), ...(isObject(call) ? [{ function: call }] : [])]
  if (all.length === 0) return response
  const parts = Array.isArray(content) ? content : [contentText(content)].filter(Boolean).map(textPart)
  return { ...response, content: [...parts, ...all.map((one) => textPart(callText(one)))] }
}

const textPart = (text: string) => ({ type: "text", text })

/** Returns a tool call as `[tool call] NAME ARGUMENTS`, with the arguments as the model wrote them. */
function callText(call: unknown): string {
  const { function: called, custom } = fieldsOf(call)
  const { name, arguments: given, input } = { ...fieldsOf(custom), ...fieldsOf(called) }
  const written = given ?? input
  if (typeof name !== "string" || written === undefined) return `[tool call] ${JSON.stringify(call)}`
  return `[tool call] ${name} ${typeof written === "string" ? written : JSON.stringify(written)}`
}

/** Returns the parts of each message that has more than text, such as an image. */
function partsOf(
  messages: Readonly<Partial<Record<JudgedName, ChatMessage | undefined>>>,
): NonNullable<RailInput["parts"]> {
  return Object.fromEntries(
    Object.entries(messages).flatMap(([name, message]) => {
      const parts = message === undefined ? [] : messageParts(message)
      return parts.every(isText) ? [] : [[name, parts]]
    }),
  )
}

const TEXT_TYPE = /^(?:(?:input_|output_)?text|.{0,20}(?:reasoning|thinking|refusal).{0,20})$/
/** A field of a part or a message that holds something else than text. */
const MEDIA = /^(?:data|url|source)$|image|audio|video|attachment|document|^files?(?:_|$)/i

/** Returns the parts of a message. Media in a field beside its content, such as the `images` of Ollama, are parts too. */
function messageParts({ content, ...fields }: ChatMessage): readonly Readonly<Record<string, unknown>>[] {
  const parts = Array.isArray(content) ? content : [textPart(contentText(content))]
  const media = Object.entries(fields).filter(
    ([name, value]) => MEDIA.test(name) && typeof value === "object" && value !== null && Object.keys(value).length > 0,
  )
  return [...parts, ...media.map(([type, value]) => ({ type, [type]: value }))]
}

/** Returns whether a part is text alone. Servers show a model the image of a part whatever text is beside it. */
function isText({ type = "text", text, ...others }: Readonly<Record<string, unknown>>): boolean {
  if (typeof text !== "string" || typeof type !== "string" || !TEXT_TYPE.test(type)) return false
  return !Object.keys(others).some((key) => MEDIA.test(key))
}

function withText(message: ChatMessage): ChatMessage & { readonly content: string } {
  return { ...message, content: contentText(message.content) }
}

/**
 * Returns the text of a message's content. Parts are joined by line ends. A part with more than text, such as an image, becomes its type
 * in square brackets, so that a judge knows that there is content it can't see.
 */
export function contentText(content: ChatMessage["content"]): string {
  if (content === undefined || content === null) return ""
  if (typeof content === "string") return content
  return content
    .flatMap((part) => {
      const { text, type } = part
      if (isText(part)) return [text]
      const said = typeof text === "string" && text !== "" ? [text] : []
      return [...said, `[${typeof type === "string" ? type : "part"}]`]
    })
    .join("\n")
}
