/** Pieces on their way from one who fetches to one who reads. */
export interface PieceQueue {
  /** Adds a piece; answers when there is room for another one. */
  readonly put: (piece: Buffer) => Promise<void> | undefined
  readonly end: () => void
  readonly fail: (error: unknown) => void
  /** The next piece, undefined at the end. @throws what was told to `fail`, once the pieces before it are taken */
  take(): Promise<Buffer | undefined>
}

/** @param most pieces that wait at a time */
export function createPieceQueue(most: number): PieceQueue {
  const pieces: Buffer[] = []
  let outcome: { readonly error?: unknown } | undefined
  let wake: (() => void) | undefined
  let makeRoom: (() => void) | undefined

  const settle = (result: { readonly error?: unknown }) => {
    outcome = result
    wake?.()
  }
  return {
    put(piece) {
      pieces.push(piece)
      wake?.()
      if (pieces.length < most) return undefined
      return new Promise((resolve) => (makeRoom = resolve))
    },
    end: () => settle({}),
    fail: (error) => settle({ error }),
    async take() {
      // Woken by a piece or by the end.
      if (pieces.length === 0 && outcome === undefined) await new Promise<void>((resolve) => (wake = resolve))
      wake = undefined
      const piece = pieces.shift()
      if (piece === undefined && outcome !== undefined && "error" in outcome) throw outcome.error
      makeRoom?.()
      makeRoom = undefined
      return piece
    },
  }
}
