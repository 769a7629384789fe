import { AssayError } from "@assay/schemas/errors"
import type { CallAddress } from "./read-failure.ts"

/** One event of a stream of server-sent events. */
export interface ServerEvent {
  readonly id?: string
  readonly event?: string
  readonly data: string
}

const MAX_EVENT_CHARACTERS = 16_777_216

/**
 * The events of a body (WHATWG HTML §9.2), comments left out. One that is cut off is none.
 * @throws `bad_answer` for an event that does not end
 */
export async function* eventsOf(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  address: CallAddress,
): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = new TextDecoder()
  let waiting = ""
  for await (const piece of bytes) {
    waiting += decoder.decode(piece, { stream: true })
    const events = waiting.split(/\r?\n\r?\n/)
    waiting = events.pop() ?? ""
    if (waiting.length > MAX_EVENT_CHARACTERS) throw badStream(address, "an event without end")
    for (const text of events) {
      const event = readEvent(text)
      if (event !== undefined) yield event
    }
  }
}

/** An answer that is no stream of events as it should be. */
export function badStream(address: CallAddress, what: string, cause?: unknown): AssayError {
  const { method, url } = address
  return new AssayError("bad_answer", `${method} ${url} was answered with ${what}.`, { cause, context: { ...address } })
}

function readEvent(text: string): ServerEvent | undefined {
  const data: string[] = []
  const fields: { id?: string; event?: string } = {}
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(":")
    const value = line.slice(colon + 1).replace(/^ /, "")
    switch (line.slice(0, colon)) {
      case "data":
        data.push(value)
        break
      case "id":
        fields.id = value
        break
      case "event":
        fields.event = value
        break
      default: // A comment, or a field of no use here.
    }
  }
  return data.length === 0 ? undefined : { ...fields, data: data.join("\n") }
}
