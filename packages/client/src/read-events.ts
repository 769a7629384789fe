import { AssayError, ERROR_CATALOGUE, type ErrorCode } from "@assay/schemas/errors"
import type { FetchResponse } from "./fetch.ts"
import { networkFailure } from "./network-failure.ts"
import type { CallAddress } from "./read-failure.ts"

const MAX_EVENT_CHARACTERS = 16_777_216
const END = "[DONE]"

/**
 * The JSON objects of a stream of chat completion chunks: server-sent events (WHATWG HTML §9.2) up to `[DONE]`.
 * @throws the error that an event carries; `bad_answer` for what is no such stream, or ends before its end
 */
export async function* readEvents(
  { body }: FetchResponse,
  address: CallAddress,
  signal?: AbortSignal,
): AsyncGenerator<Readonly<Record<string, unknown>>, void, undefined> {
  try {
    for await (const data of dataOfEvents(body ?? [], address)) {
      if (data === END) return
      yield parseChunk(data, address)
    }
  } catch (error) {
    throw networkFailure(error, address, signal)
  }
  throw badAnswer(address, "a stream that breaks off before its end")
}

async function* dataOfEvents(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  address: CallAddress,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let waiting = ""
  for await (const piece of bytes) {
    waiting += decoder.decode(piece, { stream: true })
    const events = waiting.split(/\r?\n\r?\n/)
    waiting = events.pop() ?? ""
    if (waiting.length > MAX_EVENT_CHARACTERS) throw badAnswer(address, "an event without end")
    for (const event of events) {
      const lines = event.split(/\r?\n/).filter((line) => line.startsWith("data:"))
      if (lines.length > 0) yield lines.map((line) => line.slice("data:".length).replace(/^ /, "")).join("\n")
    }
  }
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

function badAnswer(address: CallAddress, what: string, cause?: unknown): AssayError {
  const { method, url } = address
  return new AssayError("bad_answer", `${method} ${url} was answered with ${what}.`, { cause, context: { ...address } })
}
