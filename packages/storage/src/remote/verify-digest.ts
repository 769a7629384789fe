import { createHash } from "node:crypto"
import { remoteError, type RemoteTarget } from "./remote-error.ts"

/** The expected digest of a whole file. */
export interface ExpectedDigest {
  readonly algorithm: "sha256" | "sha1"
  /** Lower case. */
  readonly hex: string
  /** Text that is hashed before the bytes. */
  readonly before?: string
}

export interface VerifyOptions {
  /** Expected number of bytes. */
  readonly size: number
  readonly expected: ExpectedDigest
  readonly target: RemoteTarget
}

/**
 * Yields the pieces of a whole file. The last piece is yielded only after the digest of all bytes was verified, so that no reader
 * gets a complete wrong file.
 * @throws `upstream_failed` instead of the last piece if the digest differs
 */
export function verifyDigest(
  bytes: AsyncIterable<Uint8Array>,
  { size, expected, target }: VerifyOptions,
): AsyncIterableIterator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]()
  const hash = createHash(expected.algorithm).update(expected.before ?? "")
  let left = size
  let isChecked = false

  async function check(): Promise<void> {
    if (isChecked) return
    isChecked = true
    const found = hash.digest("hex")
    if (found === expected.hex) return
    await pieces.return?.()
    const what = `its bytes have the digest ${found} instead of the expected ${expected.hex}; read it again.`
    throw remoteError("upstream_failed", target, what)
  }

  const verified: AsyncIterableIterator<Uint8Array> = {
    async next() {
      const step = await pieces.next()
      if (step.done === true) {
        if (left === 0) await check()
        return { done: true, value: undefined }
      }
      hash.update(step.value)
      left -= step.value.byteLength
      if (left <= 0) await check()
      return step
    },
    async return() {
      isChecked = true
      await pieces.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => verified,
  }
  return verified
}
