/** The places of one trigram of what is sought. */
export interface SoughtTrigram {
  /** The place of the trigram in what is sought. */
  readonly offset: number
  /** Number of places in the text. Some of them have another trigram. */
  readonly count: number
}

/** The places of each trigram in a growing text, so that a part of the text is found without reading all of it. */
export interface TrigramPlaces {
  /** Adds the trigrams of a piece of the text, which begins at `start`. Pieces are added in their order. */
  add(piece: string, start: number): void
  /** Returns the trigram of `part` that has the fewest places. Undefined if `part` is shorter than a trigram. */
  rarestOf(part: string): SoughtTrigram | undefined
  /** Returns the places of the trigram at `offset` of `part`, in ascending order. */
  placesOf(part: string, offset: number): Int32Array
}

/** Two trigrams can share a list. Its places are compared with what is sought, so that this only costs time. */
const LISTS = 1 << 15
/** A list is a chain of blocks, each with the number of the block before it and its places: processors read memory in such pieces. */
const BLOCK = 16
const PER_BLOCK = BLOCK - 1
const FIRST_BLOCKS = 4096

/** Creates lists of places. They take about four bytes for each character, 64 for each trigram, and 256 KiB. */
export function createTrigramPlaces(): TrigramPlaces {
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
    placesOf(part, offset) {
      const list = listAt(part, offset)
      const places = new Int32Array(counts[list] ?? 0)
      let block = lastBlocks[list] ?? 0
      for (let end = places.length; end > 0; block = blocks[block] ?? 0) {
        const first = end - 1 - ((end - 1) % PER_BLOCK)
        for (let index = first; index < end; index += 1) places[index] = blocks[block + 1 + index - first] ?? 0
        end = first
      }
      return places
    },
  }
}

/** Returns the number of the list of the trigram that begins at `index`. */
function listAt(text: string, index: number): number {
  const mixed = text.charCodeAt(index) * 961 + text.charCodeAt(index + 1) * 31 + text.charCodeAt(index + 2)
  return Math.imul(mixed, 0x9e3779b1) >>> 17
}
