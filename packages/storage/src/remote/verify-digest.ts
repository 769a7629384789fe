import { createHash } from "node:crypto"
import { remoteError, type RemoteTarget } from "./remote-error.ts"

/** What the bytes of a whole file must come to. */
export interface ExpectedDigest {
  readonly algorithm: "sha256" | "sha1"
  /** Lower case. */
  readonly hex: string
  /** Hashed before the bytes. */
  readonly before?: string
}

export interface VerifyOptions {
  /** How many bytes come. */
  readonly size: number
  readonly expected: ExpectedDigest
  readonly target: RemoteTarget
}

/**
 * The pieces of a whole file. The last one comes only once the digest of all is known to be right, so that nobody takes
 * wrong bytes for the file.
 * @throws `upstream_failed` in place of the last piece, where the digest differs
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
    const what = `its bytes have the digest ${found} and not ${expected.hex}, by which they are named; read it again.`
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
