/** The number of reads that are begun ahead: an object store takes much longer to respond than to send a small file. */
const READ_AHEAD = 4

/** Reads one thing after the other, and begins to read some of them before they are taken. */
export async function* readAhead<From, To>(
  all: readonly From[],
  read: (one: From) => Promise<To>,
  signal?: AbortSignal,
): AsyncGenerator<To, void> {
  const ahead: Promise<To>[] = []
  let begun = 0
  for (let taken = 0; taken < all.length; taken++) {
    signal?.throwIfAborted()
    for (const one of all.slice(begun, taken + READ_AHEAD)) {
      const found = read(one)
      // They are awaited later, and a reader that stops never awaits them.
      found.catch(() => {})
      ahead.push(found)
      begun++
    }
    const next = await ahead.shift()
    if (next !== undefined) yield next
  }
}
