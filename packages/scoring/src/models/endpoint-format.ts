import { AssayError, type ChatMessage, EMBEDDINGS_FORMAT, TEXT_FORMAT } from "@assay/schemas"

/** Returns whether an endpoint is asked at `/completions`, with a text. All others are asked for chat completions. */
export function isTextEndpoint({ format }: { readonly format?: string | undefined }): boolean {
  return format === TEXT_FORMAT
}

/** Returns whether an endpoint is asked for vectors of texts, at `/embeddings`. */
export function isEmbeddingsEndpoint({ format }: { readonly format?: string | undefined }): boolean {
  return format === EMBEDDINGS_FORMAT
}

/** Returns the text of a request that is one message of the user. @throws `rows_invalid` for any other list of messages */
export function promptOfMessages(messages: readonly ChatMessage[]): string {
  const [message] = messages
  if (messages.length === 1 && message?.role === "user" && typeof message.content === "string") return message.content
  throw new AssayError(
    "rows_invalid",
    "The request is a chat, and the endpoint (`format: completions`) takes a text; write {prompt} in `params.template`, or give the row a text under 'prompt'.",
  )
}
