/** Bytes that look like nothing, the same for the same `seed`: two samples differ nearly everywhere. */
export function sampleBytes(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = seed * 2_654_435_761
  for (let at = 0; at < length; at++) {
    // Numerical Recipes' linear congruential generator; its high bits are the good ones.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}

/** `bytes` in pieces of at most `size`, each its own copy as from a socket. */
export async function* inPieces(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += size) yield bytes.slice(start, start + size)
}
