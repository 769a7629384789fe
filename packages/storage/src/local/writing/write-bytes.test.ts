import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { writePieces, type PieceWriter } from "./write-bytes.ts"

/** Creates a writer that takes limited numbers of bytes in turn, as a system that is short of space does. */
function greedyWriter(appetites: readonly number[]): PieceWriter & { readonly written: number[] } {
  const written: number[] = []
  let turn = 0
  return {
    written,
    async writev(pieces) {
      const taken = Buffer.concat(pieces).subarray(0, appetites[turn++ % appetites.length])
      written.push(...taken)
      return { bytesWritten: taken.byteLength }
    },
  }
}

describe("writePieces", () => {
  it("writes every byte once and in order, even if the system takes fewer than it is given", async () => {
    const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 9 }), { maxLength: 8 })
    const appetites = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(pieces, appetites, async (given, takes) => {
        const writer = greedyWriter(takes)
        await writePieces(writer, given)
        expect(Buffer.from(writer.written)).toEqual(Buffer.concat(given))
      }),
    )
  })
})
