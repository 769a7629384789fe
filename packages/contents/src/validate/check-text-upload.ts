import type { Pieces } from "../bytes/pieces.ts"
import { createRowTally, createTallySum } from "../checking/row-tally.ts"
import { cutBytes, type TextForm, type TextFormat } from "../reading/cut-rows.ts"
import { BLOCK_BYTES } from "../rows/row-block.ts"
import { createBlockChecker, createBlockReader } from "./block-checker.ts"
import { settleUpload, type UploadCheck } from "./upload-check.ts"

/** Yields each piece after its rows were checked. Ends after all rows were checked. */
export async function* checkTextUpload(
  bytes: AsyncIterable<Uint8Array>,
  check: UploadCheck,
  format: TextFormat,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { path, runner, schemas, csv, chosen, maxIssues, isRejecting, signal } = check
  let notes: readonly string[] = []
  const sum = createTallySum(maxIssues)
  const feed = createFeed()
  const blocks =
    chosen === undefined
      ? createBlockReader()
      : createBlockChecker({ runner, schemas, parallel: 1, blockBytes: BLOCK_BYTES })

  const onForm = (form: TextForm) => void (notes = form.notes)

  async function look(): Promise<void> {
    for await (const cut of cutBytes(feed.pieces, format, { buffers: blocks.buffers, csv, onForm })) {
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
  // The task is awaited at the end. Until then its failure must not count as unhandled.
  looking.catch(() => {})
  try {
    for await (const piece of bytes) {
      await feed.push(piece)
      if (isRejecting && sum.result().issues.length >= maxIssues) settleUpload(check, sum.result())
      yield piece
    }
    feed.end()
    await looking
    settleUpload(check, { ...sum.result(), notes })
  } finally {
    feed.end()
  }
}

/** A channel for bytes with room for one piece. */
interface Feed {
  readonly pieces: Pieces
  /** Settles when the reader has used `piece`, or stopped reading. */
  readonly push: (piece: Uint8Array) => Promise<void>
  /** Ends the channel. */
  readonly end: () => void
}

function createFeed(): Feed {
  let next: Uint8Array | undefined
  let isOver = false
  let wakeReader = () => {}
  let wakeWriter = () => {}

  async function* read(): Pieces {
    try {
      for (;;) {
        if (next === undefined && !isOver) {
          await new Promise<void>((resolve) => {
            wakeReader = resolve
          })
        }
        if (next === undefined) return undefined
        yield next
        next = undefined
        wakeWriter()
      }
    } finally {
      isOver = true
      wakeWriter()
    }
  }

  return {
    pieces: read(),
    async push(piece) {
      if (isOver) return
      const used = new Promise<void>((resolve) => {
        wakeWriter = resolve
      })
      next = piece
      wakeReader()
      await used
    },
    end() {
      isOver = true
      wakeReader()
    },
  }
}
