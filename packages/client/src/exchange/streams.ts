import { readEvents, type Body, type FetchResponse, type ServerEvent } from "@assay/http"
import { AssayError, ERROR_CATALOGUE, type ErrorCode } from "@assay/schemas/errors"
import type { Call, Exchange } from "./exchange.ts"
import { badAnswer, networkFailure, type CallAddress } from "./read-failure.ts"

const END = "[DONE]"

/**
 * Yields the JSON objects of a stream of chat completion chunks, which are server-sent events up to `[DONE]`.
 * @throws the error of an event; `bad_answer` if the body is not such a stream, or ends before `[DONE]`
 */
export async function* readChunks(
  { body }: FetchResponse,
  address: CallAddress,
  signal?: AbortSignal,
): AsyncGenerator<Readonly<Record<string, unknown>>, void, undefined> {
  try {
    for await (const { data } of serverEvents(body, address)) {
      if (data === END) return
      yield parseChunk(data, address)
    }
  } catch (error) {
    throw networkFailure(error, address, signal)
  }
  throw badAnswer(address, "a stream that breaks off before its end")
}

function parseChunk(data: string, address: CallAddress): Readonly<Record<string, unknown>> {
  let chunk: unknown
  try {
    chunk = JSON.parse(data)
  } catch (cause) {
    throw badAnswer(address, `'${data.slice(0, 100)}' as an event`, cause)
  }
  if (typeof chunk !== "object" || chunk === null) throw badAnswer(address, `'${data.slice(0, 100)}' as an event`)
  const { error } = chunk as { error?: { code?: unknown; message?: unknown } | null }
  if (error === undefined || error === null) return chunk as Readonly<Record<string, unknown>>
  const { code, message } = error
  const known = typeof code === "string" && Object.hasOwn(ERROR_CATALOGUE, code) ? (code as ErrorCode) : "bad_answer"
  throw new AssayError(known, String(message), { context: { ...address } })
}

/** Yields the server-sent events of a body. @throws `bad_answer` for an event that does not end */
export function serverEvents(body: Body, address: CallAddress): AsyncGenerator<ServerEvent, void, undefined> {
  return readEvents(body ?? [], { tooLong: () => badAnswer(address, "an event that does not end") })
}

/** Yields the bytes of an answer as they arrive. @throws `server_unreachable` if the answer breaks off */
export async function* streamBody(
  exchange: Exchange,
  url: string,
  call: Call,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { body } = await exchange(call)
  try {
    yield* body ?? []
  } catch (error) {
    throw networkFailure(error, { method: call.method, url: `${url}${call.path}` }, call.signal)
  }
}
