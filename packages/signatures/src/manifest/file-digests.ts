import { createHash, type Hash } from "node:crypto"
import type { DigestAlgorithm, SignedDigest } from "./signed-manifest.ts"

/** OpenSSL's names of the algorithms. */
const NAMES = { sha256: "sha256", blake2: "blake2b512" } as const satisfies Record<DigestAlgorithm, string>

/** Returns the digest of a whole file in lower-case hex. */
export async function digestOf(bytes: AsyncIterable<Uint8Array>, algorithm: DigestAlgorithm): Promise<string> {
  const hash = createHash(NAMES[algorithm])
  for await (const piece of bytes) hash.update(piece)
  return hash.digest("hex")
}

/** Returns whether the bytes of a file have the signed digests, and end where these end. Reads to the end in either case. */
export async function hasDigests(bytes: AsyncIterable<Uint8Array>, digests: readonly SignedDigest[]): Promise<boolean> {
  const check = createDigestCheck(digests)
  for await (const piece of bytes) check.update(piece)
  return check.end()
}

/** Compares the bytes of a file with its signed digests while they pass. */
export interface DigestCheck {
  update(piece: Uint8Array): void
  /** Returns whether all bytes were those that were signed, and no more. Called once, after the last piece. */
  end(): boolean
}

export function createDigestCheck(digests: readonly SignedDigest[]): DigestCheck {
  const waiting = [...digests]
  let current = open(waiting.shift())
  let isEqual = true
  return {
    update(piece) {
      let rest = piece
      while (rest.length > 0 && current !== undefined) {
        const taken = rest.subarray(0, current.left)
        current.hash.update(taken)
        current.left -= taken.length
        rest = rest.subarray(taken.length)
        if (current.left > 0) continue
        isEqual &&= current.hash.digest("hex") === current.digest
        current = open(waiting.shift())
      }
      if (rest.length > 0) isEqual = false
    },
    end() {
      if (current === undefined) return isEqual
      const isWhole = current.left === Number.POSITIVE_INFINITY || current.left === 0
      return isEqual && isWhole && waiting.length === 0 && current.hash.digest("hex") === current.digest
    },
  }
}

interface OpenDigest {
  readonly hash: Hash
  readonly digest: string
  /** Bytes that it still takes. */
  left: number
}

function open(digest: SignedDigest | undefined): OpenDigest | undefined {
  if (digest === undefined) return undefined
  const left = digest.part === undefined ? Number.POSITIVE_INFINITY : digest.part.end - digest.part.start
  return { hash: createHash(NAMES[digest.algorithm]), digest: digest.digest, left }
}
