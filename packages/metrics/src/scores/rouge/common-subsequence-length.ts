const BITS = 32
const ALL = 0xff_ff_ff_ff

/** Where a token stands: the bits that it has in the word at place `at`. */
interface Place {
  readonly at: number
  bits: number
}

/**
 * How long the longest sequence is that both have in this order, with gaps. Goes through 32 tokens of `left` at a time, so that
 * texts of ten thousand words take milliseconds. Source: Hyyrö, 2004, "Bit-Parallel LCS-length Computation Revisited".
 */
export function commonSubsequenceLength(left: readonly string[], right: readonly string[]): number {
  const places = placesOf(left)
  const row = new Uint32Array(Math.ceil(left.length / BITS)).fill(ALL)
  for (const token of right) {
    const found = places.get(token)
    if (found !== undefined) advance(row, found)
  }
  let length = 0
  for (const word of row) for (let rest = ~word; rest !== 0; rest &= rest - 1) length += 1
  return length
}

function placesOf(tokens: readonly string[]): ReadonlyMap<string, readonly Place[]> {
  const all = new Map<string, Place[]>()
  for (const [index, token] of tokens.entries()) {
    const at = Math.floor(index / BITS)
    const bits = 1 << (index % BITS)
    const places = all.get(token)
    const last = places?.at(-1)
    if (last?.at === at) last.bits |= bits
    else if (places === undefined) all.set(token, [{ at, bits }])
    else places.push({ at, bits })
  }
  return all
}

/** Adds the bits that match to the row, where it has them. Words that nothing is added or carried to stay as they are. */
function advance(row: Uint32Array, places: readonly Place[]): void {
  let carry = 0
  let word = 0
  for (const { at, bits } of places) {
    for (; carry === 1 && word < at; word += 1) carry = add(row, word, 0, carry)
    carry = add(row, at, bits, carry)
    word = at + 1
  }
  for (; carry === 1 && word < row.length; word += 1) carry = add(row, word, 0, carry)
}

/** row = (row + (row & mask)) | (row & ~mask) of one word; answers with what is carried over. */
function add(row: Uint32Array, word: number, mask: number, carry: number): number {
  const bits = row[word] ?? 0
  const matched = (bits & mask) >>> 0
  const sum = bits + matched + carry
  row[word] = sum | (bits & ~matched)
  return sum > ALL ? 1 : 0
}
