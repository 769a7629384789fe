import { once } from "node:events"
import type { Writable } from "node:stream"

/** Writes and waits while the stream is full, so that a slow reader holds the writer back. */
export async function writeText(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (!stream.write(text)) await once(stream, "drain")
}
