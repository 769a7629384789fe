import { anyColumns } from "../csv/column-types.ts"
import { createBufferPool } from "../bytes/buffer-pool.ts"
import { cutBytes, type TextFormat } from "../rows/open-cuts.ts"
import { BLOCK_BYTES } from "../rows/row-limits.ts"
import { visitRows } from "../rows/visit-rows.ts"
import { createRowTally } from "../validate/row-tally.ts"
import { createFeed } from "./create-feed.ts"
import { settleUpload, type UploadCheck } from "./upload-check.ts"

/** Passes each piece on when its rows have been looked at, and the end when all have. */
export async function* checkTextUpload(
  bytes: AsyncIterable<Uint8Array>,
  check: UploadCheck,
  format: TextFormat,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { checker, maxIssues, isRejecting } = check
  const tally = createRowTally(checker, maxIssues)
  const feed = createFeed()
  const buffers = createBufferPool(BLOCK_BYTES)

  async function look(): Promise<void> {
    for await (const cut of cutBytes(feed.pieces, format, { buffers })) {
      if (!("bounds" in cut)) {
        tally.add(cut)
        continue
      }
      visitRows(cut, checker?.columns ?? anyColumns, tally.add)
      buffers.give(cut.bytes)
    }
  }

  const looking = look()
  // Awaited at the end; until then a failure of it waits there.
  looking.catch(() => {})
  try {
    for await (const piece of bytes) {
      await feed.push(piece)
      if (isRejecting && tally.result().issues.length >= maxIssues) settleUpload(check, tally.result())
      yield piece
    }
    feed.end()
    await looking
    settleUpload(check, tally.result())
  } finally {
    feed.end()
  }
}
