import type { Segment } from "@assay/registry"
import { rowOrder } from "@assay/results"

/** Bytes of rows that are in memory. */
const MERGED_LENGTH = 64 * 1024 * 1024

/** A part of the text of a segment, in bytes. */
export interface SegmentPart {
  readonly start: number
  readonly length: number
}

/**
 * Reads the rows of shards in their order, if those of each shard are in order and follow each other in no other way. Memory: 64 MiB, but at least a frame
 * of each shard.
 * @param shards the segments of each shard
 */
export function mergeSegments<Stored extends { readonly segment: Segment }>(
  shards: readonly (readonly Stored[])[],
  readPart: (stored: Stored, part: SegmentPart) => Promise<string>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void> {
  const most = MERGED_LENGTH / Math.max(1, shards.length)
  async function* linesOf(own: readonly Stored[]): AsyncGenerator<Buffer, void> {
    for (const stored of own) {
      for (const part of cutFrames(stored.segment, most)) yield Buffer.from(await readPart(stored, part))
    }
  }
  return rowOrder.mergeLines(shards.map(linesOf), signal)
}

/** Cuts the text of a segment between frames into parts of at most this length, or of one frame. */
function cutFrames({ frames }: Segment, most: number): readonly SegmentPart[] {
  const parts: { readonly start: number; length: number }[] = []
  let end = 0
  for (const [length] of frames) {
    const last = parts.at(-1)
    if (last === undefined || last.length + length > most) parts.push({ start: end, length })
    else last.length += length
    end += length
  }
  return parts
}
