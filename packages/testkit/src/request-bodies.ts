/** Returns a body whose parts are sent one by one. Each call resolves when the part before it was taken. */
export function partedBody() {
  const parts = new TransformStream<Uint8Array, Uint8Array>()
  const writer = parts.writable.getWriter()
  return { bytes: parts.readable, send: (text: string) => writer.write(Buffer.from(text)), end: () => writer.close() }
}

/** Returns a body whose sender waits after the first part. */
export function waitingBody(first: string) {
  const { promise: rest, resolve: send, reject: breakOff } = Promise.withResolvers<string>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  async function* bytes() {
    yield Buffer.from(first)
    begin()
    yield Buffer.from(await rest)
  }
  return { bytes: bytes(), begun, send, breakOff }
}
