import type { Pieces } from "../bytes/pieces.ts"
import type { Charset } from "./charset.ts"

/**
 * Converts UTF-16 to UTF-8. A surrogate without its other half becomes the three bytes that UTF-8 does not allow for it, so that its row
 * is reported and the text keeps its length.
 */
export async function* toNarrow(pieces: Pieces, charset: Charset): Pieces {
  let rest: Uint8Array = new Uint8Array(0)
  try {
    for (;;) {
      const step = await pieces.next()
      const bytes = step.done === true ? rest : Buffer.concat([rest, step.value])
      const end = step.done === true ? bytes.length & ~1 : wholeCharacters(bytes, charset)
      if (end > 0) yield narrow(bytes.subarray(0, end), charset)
      if (step.done === true) {
        return step.value ?? (end < bytes.length ? "can't be read: the UTF-16 text ends within a character" : undefined)
      }
      rest = Uint8Array.from(bytes.subarray(end))
    }
  } finally {
    await pieces.return(undefined)
  }
}

/** Converts UTF-16 of whole units to UTF-8, as `toNarrow`. */
export function narrow(bytes: Uint8Array, charset: Charset): Uint8Array {
  const units = Buffer.from(bytes)
  if (charset === "utf-16be") units.swap16()
  const text = units.toString("utf16le")
  if (text.isWellFormed()) return Buffer.from(text)
  return Buffer.concat(
    Array.from(text, (character) => (character.isWellFormed() ? Buffer.from(character) : lone(character))),
  )
}

/** Returns the number of bytes that do not end within a character. */
function wholeCharacters(bytes: Uint8Array, charset: Charset): number {
  const even = bytes.length & ~1
  const high = bytes[charset === "utf-16le" ? even - 1 : even - 2] ?? 0
  return (high & 0xfc) === 0xd8 ? even - 2 : even
}

function lone(surrogate: string): Buffer {
  const code = surrogate.charCodeAt(0)
  return Buffer.of(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f))
}
