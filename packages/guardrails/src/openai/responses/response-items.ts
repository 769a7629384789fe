import { readContent } from "@assay/inference"
import { fieldsOf, listOf } from "@assay/json"
import type { Fields, FormContext } from "../chat-form.ts"

type ItemStatus = "in_progress" | "completed"

/** Returns an id as OpenAI writes them. */
export function itemId(prefix: "resp" | "msg" | "fc" | "call", { newId }: Pick<FormContext, "newId">): string {
  return `${prefix}_${newId().replaceAll("-", "")}`
}

export function textPart(text: string): Fields {
  return { type: "output_text", text, annotations: [], logprobs: [] }
}

/** Returns the item of a message with this text, or with no part yet. */
export function messageItem(id: string, text: string | null, status: ItemStatus): Fields {
  return { id, type: "message", status, role: "assistant", content: text === null ? [] : [textPart(text)] }
}

export interface Call {
  readonly id: string
  readonly callId: string
  readonly name: string
  readonly arguments: string
}

export function callItem({ id, callId, name, arguments: given }: Call, status: ItemStatus): Fields {
  return { id, type: "function_call", status, call_id: callId, name, arguments: given }
}

/** Returns what a message or a delta says: its text, else its refusal, which is the text of the model as well. */
export function saidText(message: unknown): string | null {
  const { content, refusal } = fieldsOf(message)
  const read = readContent(content)
  return read.text ?? read.refusal ?? (typeof refusal === "string" ? refusal : null)
}

/** Converts the message of a chat completion to items: its text, then its calls. A message without both has an empty text. */
export function outputItems(message: unknown, context: FormContext): readonly Fields[] {
  const calls = listOf(fieldsOf(message)["tool_calls"]).map((call) => callItem(readCall(call, context), "completed"))
  const text = saidText(message) ?? ""
  const said = text === "" && calls.length > 0 ? [] : [messageItem(itemId("msg", context), text, "completed")]
  return [...said, ...calls]
}

function readCall(call: unknown, context: FormContext): Call {
  const { id, function: called } = fieldsOf(call)
  const { name, arguments: given } = fieldsOf(called)
  return {
    id: itemId("fc", context),
    callId: typeof id === "string" && id !== "" ? id : itemId("call", context),
    name: textOf(name),
    arguments: textOf(given),
  }
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}
