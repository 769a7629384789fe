/** Buffers of one size that are filled again once they are given back. Nobody has to give one back. */
export interface BufferPool {
  readonly size: number
  readonly take: () => Uint8Array<ArrayBuffer>
  /** Takes back the whole buffer of which `bytes` are a part. The giver must have no more use for it. */
  readonly give: (bytes: Uint8Array<ArrayBuffer>) => void
}

export function createBufferPool(size: number): BufferPool {
  const free: ArrayBuffer[] = []
  return {
    size,
    take: () => new Uint8Array(free.pop() ?? new ArrayBuffer(size)),
    give({ buffer }) {
      if (buffer.byteLength === size) free.push(buffer)
    },
  }
}
