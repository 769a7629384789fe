/** Returns pseudo-random bytes. The same `seed` gives the same bytes. Samples of two seeds differ nearly everywhere. */
export function sampleBytes(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = seed * 2_654_435_761
  for (let at = 0; at < length; at++) {
    // The linear congruential generator of Numerical Recipes. Its high bits are the best ones.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}

/** Yields `bytes` in pieces of at most `size`. Each is a copy, as from a socket. */
export async function* inPieces(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += size) yield bytes.slice(start, start + size)
}
