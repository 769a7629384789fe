import type { ChatRenderBody, ChatRendering } from "@assay/schemas"
import type { Storage } from "@assay/storage"
import { isJsonObject, type JsonObject } from "@assay/json"
import { createCheckpointReader } from "./files/checkpoint-reader.ts"
import { findCheckpoint } from "./files/find-checkpoint.ts"
import { readTemplates } from "./files/read-descriptions.ts"
import { renderInProcess } from "./templates/run-template-process.ts"
import { checkpointTemplate, tokenizerTokens } from "./tool-calling/checkpoint-template.ts"

export interface RenderChatOptions {
  /** The chat template of the model. If it is the checkpoint's own, a conversation with tools takes that for tools. */
  readonly template: string
  /** The storage of the checkpoint, whose tokenizer names the special tokens. */
  readonly storage: Storage
  readonly conversation: ChatRenderBody
  readonly signal: AbortSignal
}

const MAX_SPECIAL_TOKENS = 1000

/**
 * Renders a conversation as a model gets it, in a process with limits. A fault of the template is a result.
 * @throws `broken_checkpoint` if the config of the tokenizer can't be read; what the storage throws; the reason of `signal`
 */
export async function renderChat({
  template,
  storage,
  conversation,
  signal,
}: RenderChatOptions): Promise<ChatRendering> {
  const reader = createCheckpointReader(storage, signal)
  const descriptions = await readTemplates(reader, await findCheckpoint(reader))
  const { tokenizer } = descriptions
  const tokens = tokenizerTokens(tokenizer)
  const { messages, tools = null, add_generation_prompt = true } = conversation
  const given = { messages, tools, documents: null, add_generation_prompt }
  const own = checkpointTemplate(descriptions, new Map())
  const withTools = tools !== null && own.text === template ? own.toolText : null
  const { text, fault } = await renderInProcess({ template: withTools ?? template, tokens }, given, signal)
  const message = fault === null ? "" : `The chat template ${fault.text}.`
  return {
    text,
    fault: fault === null ? null : { line: fault.line, message },
    special_tokens: specialTokens(tokenizer, tokens),
  }
}

function specialTokens(tokenizer: JsonObject | null, tokens: Readonly<Record<string, string>>): string[] {
  const added = tokenizer?.["added_tokens_decoder"]
  const marked = Object.values(isJsonObject(added) ? added : {}).flatMap((token) =>
    isJsonObject(token) && token["special"] === true && typeof token["content"] === "string" ? [token["content"]] : [],
  )
  const all = new Set([...Object.values(tokens), ...marked])
  all.delete("")
  return [...all].slice(0, MAX_SPECIAL_TOKENS)
}
