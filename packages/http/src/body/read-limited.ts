import { collectPieces } from "./collect-pieces.ts"

/** A body that is arriving, as Node and the Fetch standard provide it. Null: no body. */
export type Body = AsyncIterable<Uint8Array> | null

export interface LimitedBody {
  readonly bytes: Uint8Array
  /** Whether the body is longer than the limit. */
  readonly isTruncated: boolean
}

/** Reads at most the first `limit` bytes of a body. If it is longer, the rest is not read and its connection is closed. */
export async function readLimited(body: Body, limit: number): Promise<LimitedBody> {
  const pieces = collectPieces()
  for await (const piece of body ?? []) {
    pieces.add(piece)
    if (pieces.length > limit) return { bytes: pieces.join().subarray(0, limit), isTruncated: true }
  }
  return { bytes: pieces.join(), isTruncated: false }
}

const MAX_ERROR_BYTES = 65_536

/**
 * Reads the text of an error response: at most the first `limit` bytes, 64 KiB by default. If the body breaks off, returns
 * what arrived before.
 */
export async function readErrorText(body: Body, limit = MAX_ERROR_BYTES): Promise<string> {
  const pieces = collectPieces()
  try {
    for await (const piece of body ?? []) {
      pieces.add(piece)
      if (pieces.length >= limit) break
    }
  } catch {
    // The status matters more than how its body broke off.
  }
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(pieces.join().subarray(0, limit))
}

/** Reads a body that is not needed, so that its connection is free for the next request. */
export async function discardBody(body: Body): Promise<void> {
  for await (const _piece of body ?? []);
}
