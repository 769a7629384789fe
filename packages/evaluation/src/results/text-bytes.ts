/** A text as the bytes of a file. */
export async function* textBytes(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  if (text !== "") yield Buffer.from(text)
}
