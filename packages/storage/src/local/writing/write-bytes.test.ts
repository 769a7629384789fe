import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createPieceBatch, writeBytes, writePieces, type PieceWriter } from "./write-bytes.ts"

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

const piece = fc.uint8Array({ maxLength: 20 })

describe("a batch of pieces", () => {
  it("returns every byte in order and is empty afterwards", () => {
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 600, size: "max" }), { maxLength: 3 }), (rounds) => {
        const batch = createPieceBatch()
        for (const pieces of rounds) {
          for (const one of pieces) batch.add(one)
          const expected = Buffer.concat(pieces)
          expect(batch.byteLength).toBe(expected.byteLength)
          expect(Buffer.concat(batch.take())).toEqual(expected)
          expect(batch.byteLength).toBe(0)
        }
      }),
      { numRuns: 50 },
    )
  })

  it("does not copy large pieces", () => {
    const batch = createPieceBatch()
    const pieces = Array.from({ length: 300 }, (_, at) => new Uint8Array(10_000).fill(at))
    for (const one of pieces) batch.add(one)
    const taken = batch.take()
    expect(taken.every((one, at) => one === pieces[at])).toBe(true)
  })

  it(
    "joins small pieces, so that a client that sends tiny pieces costs little",
    verifies("files.upload.bounded-memory"),
    () => {
      const batch = createPieceBatch()
      for (let at = 0; at < 100_000; at++) batch.add(Uint8Array.of(at))
      expect(batch.take().length).toBeLessThan(500)
    },
  )
})

describe("the memory of pieces", () => {
  async function write(pieces: readonly Uint8Array[], disposable?: boolean): Promise<Buffer> {
    const written: Buffer[] = []
    const file = {
      async writev(given: readonly Uint8Array[]) {
        const bytes = Buffer.concat(given)
        // Fewer than given, so that pieces are still needed after the first call.
        const taken = bytes.subarray(0, Math.max(1, bytes.byteLength - 15_000))
        written.push(Buffer.from(taken))
        return { bytesWritten: taken.byteLength }
      },
      async datasync() {},
      async sync() {},
    }
    async function* source() {
      yield* pieces
    }
    const onDisk = <T>(work: () => Promise<T>) => work()
    await writeBytes(source(), file, { bufferSize: 40_000, durable: true, disposable, onDisk })
    return Buffer.concat(written)
  }

  const make = () => Array.from({ length: 9 }, (_, at) => new Uint8Array(10_000).fill(at))

  it("is freed when they are written, if nobody else uses it", async () => {
    const pieces = make()
    const expected = Buffer.concat(pieces)
    expect(await write(pieces, true)).toEqual(expected)
    expect(pieces.every(({ buffer }) => buffer instanceof ArrayBuffer && buffer.detached)).toBe(true)
  })

  it("is kept otherwise, and if a piece is only a part of it", async () => {
    const whole = make()
    await write(whole)
    const parts = make().map((one) => one.subarray(1))
    await write(parts, true)
    expect([...whole, ...parts].some(({ buffer }) => buffer instanceof ArrayBuffer && buffer.detached)).toBe(false)
  })
})
