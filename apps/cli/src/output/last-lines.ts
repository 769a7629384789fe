/** Returns the last lines of a text, which is read to its end. @param count undefined: the whole text, as it comes */
export async function* lastLines(
  pieces: AsyncIterable<string | Uint8Array>,
  count: number | undefined,
): AsyncGenerator<Uint8Array, void> {
  if (count === undefined) {
    for await (const piece of pieces) yield Buffer.from(piece)
    return
  }
  let lines: Buffer[] = []
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    rest = Buffer.concat([rest, Buffer.from(piece)])
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      lines.push(rest.subarray(0, end + 1))
      rest = rest.subarray(end + 1)
    }
    lines = lines.slice(Math.max(0, lines.length - count))
  }
  if (rest.length > 0) lines.push(rest)
  yield* lines.slice(Math.max(0, lines.length - count))
}
