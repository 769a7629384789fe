import { createCipheriv, createDecipheriv } from "node:crypto"

const CIPHER = "aes-256-gcm"
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface Seal {
  readonly key: Uint8Array
  /** What the bytes belong to: they can't be unsealed for anything else. */
  readonly owner: string
}

/** Nonce, tag and ciphertext of `bytes` in AES-256-GCM (NIST SP 800-38D). */
export function seal(bytes: Uint8Array, { key, owner }: Seal, randomBytes: (count: number) => Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** @throws where the key or the owner is another one, or a bit was changed */
export function unseal(sealed: Uint8Array, { key, owner }: Seal): Uint8Array {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}
