import { expect } from "vitest"

/** Expects equal bytes. `toEqual` compares them one by one, which takes 0.3 s per MiB. */
export function expectBytes(actual: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(actual, expected) === 0) return
  const from = expected.findIndex((byte, at) => actual[at] !== byte)
  const excerptOf = (bytes: Uint8Array) => ({
    length: bytes.byteLength,
    from,
    bytes: [...bytes.subarray(from, from + 16)],
  })
  expect(excerptOf(actual)).toEqual(excerptOf(expected))
}
