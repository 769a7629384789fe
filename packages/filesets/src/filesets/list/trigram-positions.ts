/** The positions of one trigram of what is sought. */
export interface SoughtTrigram {
  /** The position of the trigram in what is sought. */
  readonly offset: number
  /** Number of positions in the text. Some of them have another trigram. */
  readonly count: number
}

/** The positions of each trigram in a growing text, so that a part of the text is found without reading all of it. */
export interface TrigramPositions {
  /** Adds the trigrams of a piece of the text, which begins at `start`. Pieces are added in their order. */
  add(piece: string, start: number): void
  /** Returns the trigram of `part` that has the fewest positions. Undefined if `part` is shorter than a trigram. */
  rarestOf(part: string): SoughtTrigram | undefined
  /** Returns the positions of the trigram at `offset` of `part`, in ascending order. */
  positionsOf(part: string, offset: number): Int32Array
}

/** Two trigrams can share a list. Its positions are compared with what is sought, so that this only costs time. */
const LISTS = 1 << 15
/** A list is a chain of blocks, each with the number of the block before it and its positions: processors read memory in such pieces. */
const BLOCK = 16
const PER_BLOCK = BLOCK - 1
const FIRST_BLOCKS = 4096

/** Creates lists of positions. They take about four bytes for each character, 64 for each trigram, and 256 KiB. */
export function createTrigramPositions(): TrigramPositions {
  const lastBlocks = new Int32Array(LISTS)
  const counts = new Int32Array(LISTS)
  let blocks = new Int32Array(FIRST_BLOCKS * BLOCK)
  let used = 0

  /** Returns where a new block begins. */
  function newBlock(before: number): number {
    const block = used
    used += BLOCK
    if (used > blocks.length) {
      const larger = new Int32Array(2 * blocks.length)
      larger.set(blocks)
      blocks = larger
    }
    blocks[block] = before
    return block
  }

  return {
    add(piece, start) {
      for (let index = 0; index + 2 < piece.length; index += 1) {
        const list = listAt(piece, index)
        const count = counts[list] ?? 0
        const inBlock = count % PER_BLOCK
        if (inBlock === 0) lastBlocks[list] = newBlock(lastBlocks[list] ?? 0)
        blocks[(lastBlocks[list] ?? 0) + 1 + inBlock] = start + index
        counts[list] = count + 1
      }
    },
    rarestOf(part) {
      let rarest: SoughtTrigram | undefined
      for (let offset = 0; offset + 2 < part.length; offset += 1) {
        const count = counts[listAt(part, offset)] ?? 0
        if (rarest === undefined || count < rarest.count) rarest = { offset, count }
      }
      return rarest
    },
    positionsOf(part, offset) {
      const list = listAt(part, offset)
      const positions = new Int32Array(counts[list] ?? 0)
      let block = lastBlocks[list] ?? 0
      for (let end = positions.length; end > 0; block = blocks[block] ?? 0) {
        const first = end - 1 - ((end - 1) % PER_BLOCK)
        for (let index = first; index < end; index += 1) positions[index] = blocks[block + 1 + index - first] ?? 0
        end = first
      }
      return positions
    },
  }
}

/** Returns the number of the list of the trigram that begins at `index`. */
function listAt(text: string, index: number): number {
  const mixed = text.charCodeAt(index) * 961 + text.charCodeAt(index + 1) * 31 + text.charCodeAt(index + 2)
  return Math.imul(mixed, 0x9e3779b1) >>> 17
}
