/** Returns the bytes of a text as a request delivers them. */
export async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}

export async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(bytes)).toString()
}
