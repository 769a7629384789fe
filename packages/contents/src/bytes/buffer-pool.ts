/** A pool of buffers of one size. Buffers that are given back are filled again. Giving a buffer back is optional. */
export interface BufferPool {
  readonly size: number
  readonly take: () => Uint8Array<ArrayBuffer>
  /** Takes back the whole buffer that contains `bytes`. The caller must not use it afterwards. */
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
