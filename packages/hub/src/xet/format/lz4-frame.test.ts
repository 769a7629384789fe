import * as fc from "fast-check"
import { expect, it } from "vitest"
import { decodeLz4Frame } from "./lz4-frame.ts"

/** A sequence of a block: some bytes, and then a match of `length` bytes, which begins `back` (modulo what there is) before it. */
const sequence = fc.record({
  literals: fc.uint8Array({ maxLength: 400 }),
  back: fc.nat(70_000),
  length: fc.integer({ min: 4, max: 700 }),
})
const block = fc.record({ sequences: fc.array(sequence, { maxLength: 6 }), last: fc.uint8Array({ maxLength: 300 }) })

/** Returns the bytes that extend a length of 15 or more. */
function extension(length: number): number[] {
  const rest = length - 15
  return rest < 0 ? [] : [...Array<number>(Math.floor(rest / 255)).fill(255), rest % 255]
}

/** Encodes blocks as their format says, and returns their content too, byte by byte. */
function encode(
  blocks: readonly { sequences: readonly { literals: Uint8Array; back: number; length: number }[]; last: Uint8Array }[],
) {
  const content: number[] = []
  const frame = [0x04, 0x22, 0x4d, 0x18, 0x40, 0x70, 0]
  for (const { sequences, last } of blocks) {
    const bytes: number[] = []
    for (const { literals, back, length } of sequences) {
      content.push(...literals)
      if (content.length === 0) continue
      const offset = 1 + (back % Math.min(content.length, 65_535))
      bytes.push(
        (Math.min(literals.length, 15) << 4) | Math.min(length - 4, 15),
        ...extension(literals.length),
        ...literals,
      )
      bytes.push(offset & 255, offset >> 8, ...extension(length - 4))
      for (let index = 0; index < length; index++) content.push(content[content.length - offset] ?? 0)
    }
    bytes.push(Math.min(last.length, 15) << 4, ...extension(last.length), ...last)
    content.push(...last)
    const size = Buffer.alloc(4)
    size.writeUInt32LE(bytes.length)
    frame.push(...size, ...bytes)
  }
  return { frame: Uint8Array.from([...frame, 0, 0, 0, 0]), content: Uint8Array.from(content) }
}

/** Decodes a frame in memory that has other bytes. Returns undefined if it is refused. */
function decode(frame: Uint8Array, size: number, filler = 0): Uint8Array | undefined {
  const out = new Uint8Array(size).fill(filler)
  return decodeLz4Frame(frame, out) ? out : undefined
}

it("A frame has the content that its sequences describe, also if matches begin in earlier blocks", () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 3 }), (blocks) => {
      const { frame, content } = encode(blocks)
      expect(decode(frame, content.length)).toEqual(content)
      expect(decode(frame, content.length + 1)).toBeUndefined()
      if (content.length > 0) expect(decode(frame, content.length - 1)).toBeUndefined()
      expect(decode(frame.subarray(0, -1), content.length)).toBeUndefined()
    }),
  )
})

it("A frame that was changed or made up is refused, or has the same content in memory that was used before", () => {
  const changed = fc.tuple(fc.array(block, { maxLength: 2 }), fc.nat(), fc.nat(255)).map(([blocks, at, value]) => {
    const { frame, content } = encode(blocks)
    frame[at % frame.length] = value
    return { frame, size: content.length }
  })
  const madeUp = fc.record({ frame: fc.uint8Array({ maxLength: 200 }), size: fc.nat(1000) })
  fc.assert(
    fc.property(fc.oneof(changed, madeUp), ({ frame, size }) => {
      // The memory was used before: nothing of it may become content.
      expect(decode(frame, size, 255)).toEqual(decode(frame, size))
    }),
    { numRuns: 1000 },
  )
})
