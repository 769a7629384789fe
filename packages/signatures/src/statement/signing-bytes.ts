import { dsse } from "@sigstore/core"
import { PAYLOAD_TYPE } from "./model-signature.ts"

/**
 * Returns what a signature is made over: the pre-authentication encoding of DSSE
 * (https://github.com/secure-systems-lab/dsse/blob/v1.0.0/protocol.md).
 */
export function signingBytes(payload: Buffer): Buffer {
  return dsse.preAuthEncoding(PAYLOAD_TYPE, payload)
}

/** A payload that is an in-toto statement: its type, and what its signature is made over. */
export const inToto = Object.freeze({ type: PAYLOAD_TYPE, signingBytes })

const NAMED = new Map([
  [0x09, String.raw`\t`],
  [0x0a, String.raw`\n`],
  [0x0d, String.raw`\r`],
  [0x27, String.raw`\'`],
  [0x5c, String.raw`\\`],
])

/**
 * Returns what signatures of releases before 1.0 were made over: by a mistake of that program, the Python notation of the payload
 * (`b'…'`) behind another prefix. Those signatures are still in use.
 */
export function formerSigningBytes(payload: Buffer): Buffer {
  let written = ""
  for (const byte of payload) {
    const isPlain = byte >= 0x20 && byte < 0x7f
    const hex = () => `\\x${byte.toString(16).padStart(2, "0")}`
    written += NAMED.get(byte) ?? (isPlain ? String.fromCharCode(byte) : hex())
  }
  return Buffer.from(`DSSEV1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} b'${written}'`)
}
