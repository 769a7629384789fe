import { cutBytes, type TextFormat } from "../reading/open-cuts.ts"
import { BLOCK_BYTES } from "../rows/row-limits.ts"
import { createBlockChecker, createBlockReader } from "../validate/block-checker.ts"
import { createRowTally, createTallySum } from "../checking/row-tally.ts"
import { createFeed } from "./create-feed.ts"
import { settleUpload, type UploadCheck } from "./upload-check.ts"

/** Passes each piece on when its rows have been looked at, and the end when all have. */
export async function* checkTextUpload(
  bytes: AsyncIterable<Uint8Array>,
  check: UploadCheck,
  format: TextFormat,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { path, runner, schemas, chosen, maxIssues, isRejecting, signal } = check
  const sum = createTallySum(maxIssues)
  const feed = createFeed()
  const blocks =
    chosen === undefined
      ? createBlockReader()
      : createBlockChecker({ runner, schemas, parallel: 1, blockBytes: BLOCK_BYTES })

  async function look(): Promise<void> {
    for await (const cut of cutBytes(feed.pieces, format, { buffers: blocks.buffers })) {
      if ("bounds" in cut) {
        sum.add(await blocks.check({ path, block: cut, maxIssues: sum.room(), signal }))
      } else {
        const single = createRowTally(undefined, sum.room())
        single.add(cut)
        sum.add(single.result())
      }
    }
  }

  const looking = look()
  // Awaited at the end; until then a failure of it waits there.
  looking.catch(() => {})
  try {
    for await (const piece of bytes) {
      await feed.push(piece)
      if (isRejecting && sum.result().issues.length >= maxIssues) settleUpload(check, sum.result())
      yield piece
    }
    feed.end()
    await looking
    settleUpload(check, sum.result())
  } finally {
    feed.end()
  }
}
