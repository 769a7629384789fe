import { once } from "node:events"
import type { Writable } from "node:stream"
import { paint } from "@assay/reports/terminal"
import { printableText } from "@assay/schemas"
import { showsColours } from "./shows-colours.ts"

/**
 * Writes text for people or programs, and waits while the stream is full, so that a slow reader slows the writer down.
 * All text except progress, which `@assay/reports/terminal` writes in the same way, is written through this file. It writes control
 * characters except line feed and tab as `⟨U+202E⟩`, because text from outside could move the cursor of a terminal or write the
 * clipboard.
 */
export async function writeText(stream: Writable, text: string): Promise<void> {
  if (!stream.write(printableText(text))) await once(stream, "drain")
}

/** Writes text like `writeText`, with tones as colours if the stream is a terminal that shows them and NO_COLOR is not set. */
export async function writeStyled(stream: Writable, text: string): Promise<void> {
  if (!stream.write(paint(printableText(text), showsColours(stream)))) await once(stream, "drain")
}

/** Writes text like `writeText`, for callers that can't wait. */
export function sayText(stream: Writable, text: string): void {
  stream.write(printableText(text))
}

/** Writes bytes unchanged, and waits like `writeText`. */
export async function writeBytes(stream: Writable, bytes: Uint8Array): Promise<void> {
  if (!stream.write(bytes)) await once(stream, "drain")
}

/** Writes bytes of UTF-8 text like `writeText`. A character may be split between two pieces. */
export async function writeTextBytes(stream: Writable, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder()
  for await (const piece of pieces) await writeText(stream, decoder.decode(piece, { stream: true }))
  await writeText(stream, decoder.decode())
}
