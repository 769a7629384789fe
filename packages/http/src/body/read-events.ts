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
  /** Whether an event counts that the body ends within: some servers leave out the last empty line. Default false, as the standard says. */
  readonly takesUnended?: boolean
}

const MAX_CHARACTERS = 16_777_216

/**
 * Yields the events of a body (WHATWG HTML §9.2) without its comments. Lines end in CR LF, LF or CR. If the body ends within an event,
 * that event is left out unless `takesUnended` is set.
 * @throws the error of `tooLong`
 */
export async function* readEvents(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { maxCharacters = MAX_CHARACTERS, tooLong, takesUnended = false }: ReadEventsOptions,
): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = new TextDecoder()
  /** The beginning of a line, in pieces: joining them at each piece would take time quadratic in the line. */
  let begun: string[] = []
  let lines: string[] = []
  let length = 0
  let endedInReturn = false
  for await (const piece of bytes) {
    const text = decoder.decode(piece, { stream: true })
    if (text === "") continue
    // The second half of a CR LF whose first half was the end of the last piece.
    const parts = (endedInReturn && text.startsWith("\n") ? text.slice(1) : text).split(/\r\n|\n|\r/)
    endedInReturn = text.endsWith("\r")
    for (const [index, part] of parts.entries()) {
      length += part.length
      if (length > maxCharacters) throw tooLong()
      begun.push(part)
      if (index === parts.length - 1) continue
      const line = begun.join("")
      begun = []
      if (line !== "") {
        lines.push(line)
        continue
      }
      const event = parseEvent(lines)
      lines = []
      length = 0
      if (event !== undefined) yield event
    }
  }
  const last = takesUnended ? parseEvent([...lines, begun.join("")]) : undefined
  if (last !== undefined) yield last
}

function parseEvent(lines: readonly string[]): ServerEvent | undefined {
  const data: string[] = []
  const fields: { id?: string; event?: string } = {}
  for (const line of lines) {
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
