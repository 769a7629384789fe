import type { IncomingHttpHeaders } from "node:http"
import type { FakeEmbeddingsBody } from "./embeddings-answer.ts"
import type { FakeTextBody } from "./fake-language.ts"
import type { FakeChatBody } from "./fake-model.ts"

/** A request as it arrived. */
export interface InferenceRequest {
  readonly method: string
  /** Path and query, as sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The body of a request for a chat completion. */
  readonly chat: FakeChatBody | undefined
  /** The body of a request for the completion of a text. */
  readonly text: FakeTextBody | undefined
  /** The body of a request for embeddings. */
  readonly embeddings: FakeEmbeddingsBody | undefined
}

/** @throws SyntaxError when the body of a chat or a text is not JSON */
export function inferenceRequest(method: string, url: string, headers: IncomingHttpHeaders, body: string) {
  const isChat = method === "POST" && /\/chat\/completions(\?|$)/.test(url)
  const isText = !isChat && method === "POST" && /\/completions(\?|$)/.test(url)
  const isEmbeddings = method === "POST" && /\/embeddings(\?|$)/.test(url)
  const request: InferenceRequest = {
    method,
    url,
    headers,
    body,
    chat: isChat ? (JSON.parse(body) as FakeChatBody) : undefined,
    embeddings: isEmbeddings ? (JSON.parse(body) as FakeEmbeddingsBody) : undefined,
    text: isText ? (JSON.parse(body) as FakeTextBody) : undefined,
  }
  return request
}

/** An answer before it is sent. The pieces of a streamed answer are sent one by one. */
export interface InferenceAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | readonly string[]
}
