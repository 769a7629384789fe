import { once } from "node:events"
import type { Writable } from "node:stream"
import { printableText } from "@assay/schemas/printable"
import { paint } from "@assay/reports/terminal"

/**
 * Writes text for people or programs and waits while the stream is full, so that a slow reader holds the writer back.
 * All text goes this way: control characters but line feed and tab are shown as escapes, since text of others could
 * move the cursor of a terminal or write the clipboard.
 */
export async function writeText(stream: Writable, text: string): Promise<void> {
  if (!stream.write(printableText(text))) await once(stream, "drain")
}

/** Writes text like `writeText`, with its tones as colours where the stream is a terminal that shows them and NO_COLOR is not set. */
export async function writeStyled(stream: Writable, text: string): Promise<void> {
  if (!stream.write(paint(printableText(text), showsColours(stream)))) await once(stream, "drain")
}

/** A terminal says so itself; it knows NO_COLOR, FORCE_COLOR and TERM. */
function showsColours(stream: Writable): boolean {
  return "hasColors" in stream && typeof stream.hasColors === "function" && stream.hasColors() === true
}

/** Writes text like `writeText`, where nobody can wait. */
export function sayText(stream: Writable, text: string): void {
  stream.write(printableText(text))
}

/** Writes the bytes of a file as they are, and waits like `writeText`. */
export async function writeBytes(stream: Writable, bytes: Uint8Array): Promise<void> {
  if (!stream.write(bytes)) await once(stream, "drain")
}

/** Writes bytes that are text, decoded over the limits of pieces, like `writeText`. */
export async function writeTextBytes(stream: Writable, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder()
  for await (const piece of pieces) await writeText(stream, decoder.decode(piece, { stream: true }))
  await writeText(stream, decoder.decode())
}
