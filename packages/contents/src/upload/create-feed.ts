import type { Pieces } from "../bytes/pieces.ts"

/** Bytes that are pushed on one side and read on the other, one piece at a time and never more. */
export interface Feed {
  readonly pieces: Pieces
  /** Settles when the reader is done with `piece`, or reads no more. */
  readonly push: (piece: Uint8Array) => Promise<void>
  /** No more is to come. */
  readonly end: () => void
}

export function createFeed(): Feed {
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
