/** One event of a stream of server-sent events. */
export interface ServerEvent {
  readonly id?: string
  readonly event?: string
  readonly data: string
}

export interface ReadEventsOptions {
  /** Maximum number of characters in one event. Default 16 Mi. */
  readonly maxCharacters?: number
  /** Makes the error for an event that is longer. */
  readonly tooLong: () => Error
}

const MAX_CHARACTERS = 16_777_216

/**
 * Yields the events of a body (WHATWG HTML §9.2) without its comments. If the body ends within an event, that event is left out.
 * @throws the error of `tooLong`
 */
export async function* readEvents(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { maxCharacters = MAX_CHARACTERS, tooLong }: ReadEventsOptions,
): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = new TextDecoder()
  let waiting = ""
  for await (const piece of bytes) {
    waiting += decoder.decode(piece, { stream: true })
    const events = waiting.split(/\r?\n\r?\n/)
    waiting = events.pop() ?? ""
    if (waiting.length > maxCharacters) throw tooLong()
    for (const text of events) {
      const event = parseEvent(text)
      if (event !== undefined) yield event
    }
  }
}

function parseEvent(text: string): ServerEvent | undefined {
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
      default: // A comment, or a field that is not needed here.
    }
  }
  return data.length === 0 ? undefined : { ...fields, data: data.join("\n") }
}
