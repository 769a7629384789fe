/**
 * Bytes on their way, in pieces that may be used again once the next one is asked for. It returns, at its end, why the
 * bytes end before the file does, if they do: what is wrong with the content is told there, while what is wrong with the
 * storage is thrown.
 */
export type Pieces = AsyncGenerator<Uint8Array, string | undefined, undefined>
