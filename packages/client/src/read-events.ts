import { AssayError, ERROR_CATALOGUE, type ErrorCode } from "@assay/schemas/errors"
import { badStream, eventsOf } from "./event-stream.ts"
import type { FetchResponse } from "./fetch.ts"
import { networkFailure } from "./network-failure.ts"
import type { CallAddress } from "./read-failure.ts"

const END = "[DONE]"

/**
 * The JSON objects of a stream of chat completion chunks: server-sent events up to `[DONE]`.
 * @throws the error that an event carries; `bad_answer` for what is no such stream, or ends before its end
 */
export async function* readEvents(
  { body }: FetchResponse,
  address: CallAddress,
  signal?: AbortSignal,
): AsyncGenerator<Readonly<Record<string, unknown>>, void, undefined> {
  try {
    for await (const { data } of eventsOf(body ?? [], address)) {
      if (data === END) return
      yield parseChunk(data, address)
    }
  } catch (error) {
    throw networkFailure(error, address, signal)
  }
  throw badStream(address, "a stream that breaks off before its end")
}

function parseChunk(data: string, address: CallAddress): Readonly<Record<string, unknown>> {
  let chunk: unknown
  try {
    chunk = JSON.parse(data)
  } catch (cause) {
    throw badStream(address, `'${data.slice(0, 100)}' as an event`, cause)
  }
  if (typeof chunk !== "object" || chunk === null) throw badStream(address, `'${data.slice(0, 100)}' as an event`)
  const { error } = chunk as { error?: { code?: unknown; message?: unknown } | null }
  if (error === undefined || error === null) return chunk as Readonly<Record<string, unknown>>
  const { code, message } = error
  const known = typeof code === "string" && Object.hasOwn(ERROR_CATALOGUE, code) ? (code as ErrorCode) : "bad_answer"
  throw new AssayError(known, String(message), { context: { ...address } })
}
