import type { ChatAnswer, ChatRequest } from "@assay/inference"
import { AssayError, isAssayError } from "@assay/schemas"
import type { OpenModel } from "../open-models.ts"
import type { Chunk } from "./chunk-delta.ts"

/**
 * How long the model of a chat is asked. Clients of chats send failed requests again themselves, often twice, so more attempts here
 * would be multiplied by theirs.
 */
export const MAIN_ATTEMPTS = { maxRetries: 1, maxRetryAfterMs: 2000 } as const

/** The options of a request to the model of a chat. */
export interface MainOptions {
  readonly signal?: AbortSignal | undefined
  readonly callerRetries?: boolean | undefined
}

function attemptsFor({ signal, callerRetries = false }: MainOptions) {
  return { signal, ...MAIN_ATTEMPTS, ...(callerRetries ? { maxRetries: 0 } : {}) }
}

/** Asks the model of a chat. @throws the error of the endpoint, with the status that the caller gets */
export async function askMain({ client }: OpenModel, request: ChatRequest, options: MainOptions): Promise<ChatAnswer> {
  try {
    return await client.complete(request, attemptsFor(options))
  } catch (error) {
    throw asAnswered(error)
  }
}

/** Does the same as a stream. */
export async function* streamMain(
  { client }: OpenModel,
  request: ChatRequest,
  options: MainOptions,
): AsyncGenerator<Chunk> {
  try {
    yield* client.stream(request, attemptsFor(options))
  } catch (error) {
    throw asAnswered(error)
  }
}

/** Statuses that say what is wrong with a request or its rights. The sender of the chat can correct it, and no other attempt helps. */
const KEPT: ReadonlySet<unknown> = new Set([400, 401, 402, 403, 404, 413, 422, 429])

/** Adds the status of the endpoint to its error as `answer_status`, if the caller of the chat has to know it. */
export function asAnswered(error: unknown): unknown {
  if (!isAssayError(error)) return error
  const { code, message, context, issues, cause = error } = error
  const status = context["meant_status"] ?? context["status"]
  if (!KEPT.has(status)) return error
  return new AssayError(code, message, { context: { ...context, answer_status: status }, issues, cause })
}
