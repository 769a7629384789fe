import { createCipheriv, createDecipheriv } from "node:crypto"
import { AssayError, type SecretAddress } from "@assay/schemas"

/** A key-encryption key: it seals the data keys of secrets. */
export interface EncryptionKey {
  readonly name: string
  /** 32 bytes. */
  readonly key: Uint8Array
}

interface KeyRing {
  /** The key that seals new values. */
  readonly newest: EncryptionKey
  get(name: string): EncryptionKey | undefined
}

const KEY_BYTES = 32

/**
 * @param keys newest first
 * @throws `bad_settings` if there is no key, a key has the wrong length, or two keys have the same name
 */
export function createKeyRing(keys: readonly EncryptionKey[]): KeyRing {
  const byName = new Map<string, EncryptionKey>()
  for (const key of keys) {
    if (key.key.byteLength !== KEY_BYTES) {
      throw refused(`the key '${key.name}' has ${key.key.byteLength} bytes instead of ${KEY_BYTES}`)
    }
    if (byName.has(key.name)) throw refused(`two keys have the name '${key.name}'`)
    byName.set(key.name, key)
  }
  const [newest] = keys
  if (newest === undefined) throw refused("there is none; give at least one")
  return { newest, get: (name) => byName.get(name) }
}

function refused(reason: string): AssayError {
  return new AssayError("bad_settings", `The encryption keys can't be used: ${reason}.`)
}

/** A value that is sealed with its own data key, and this key sealed with a key-encryption key. */
export interface SealedValue {
  readonly value: Uint8Array
  readonly data_key: Uint8Array
  readonly key_name: string
}

/** Seals the values of secrets. A value that is sealed for one secret can't be unsealed for another, so rows can't be swapped. */
export interface Envelope {
  /** The name of the key that seals new values. */
  readonly newestKey: string
  seal(secret: SecretAddress, value: string): SealedValue
  /** @throws `secret_not_readable` if the key is missing or the row was changed */
  unseal(secret: SecretAddress, sealed: SealedValue): string
  /** Returns the data key sealed with the newest key. @throws the same errors as `unseal` */
  renew(secret: SecretAddress, sealed: SealedValue): Pick<SealedValue, "data_key" | "key_name">
}

const DATA_KEY_BYTES = 32

export function createEnvelope(keys: KeyRing, randomBytes: (count: number) => Uint8Array): Envelope {
  const { newest } = keys

  function openDataKey(secret: SecretAddress, { data_key, key_name }: SealedValue): Uint8Array {
    const key = keys.get(key_name)?.key
    if (key === undefined) {
      throw unreadable(secret, `it is sealed with the encryption key '${key_name}', which this server does not have`)
    }
    return unsealFor(secret, data_key, key, "data key")
  }

  function sealDataKey(secret: SecretAddress, dataKey: Uint8Array) {
    const data_key = seal(dataKey, { key: newest.key, owner: ownerOf(secret, "data key") }, randomBytes)
    return { data_key, key_name: newest.name }
  }

  return {
    newestKey: newest.name,
    seal(secret, value) {
      const dataKey = randomBytes(DATA_KEY_BYTES)
      return {
        value: seal(Buffer.from(value), { key: dataKey, owner: ownerOf(secret, "value") }, randomBytes),
        ...sealDataKey(secret, dataKey),
      }
    },
    unseal(secret, sealed) {
      const dataKey = openDataKey(secret, sealed)
      return Buffer.from(unsealFor(secret, sealed.value, dataKey, "value")).toString()
    },
    renew(secret, sealed) {
      return sealDataKey(secret, openDataKey(secret, sealed))
    },
  }
}

function ownerOf({ workspace, name }: SecretAddress, what: "value" | "data key"): string {
  return `${what} of ${workspace}/${name}`
}

function unsealFor(secret: SecretAddress, sealed: Uint8Array, key: Uint8Array, what: "value" | "data key"): Uint8Array {
  try {
    return unseal(sealed, { key, owner: ownerOf(secret, what) })
  } catch (cause) {
    throw unreadable(
      secret,
      `its ${what} can't be decrypted, because the key or the row was changed; set its value again`,
      cause,
    )
  }
}

function unreadable({ workspace, name }: SecretAddress, reason: string, cause?: unknown): AssayError {
  const message = `Secret '${workspace}/${name}' can't be read: ${reason}.`
  return new AssayError("secret_not_readable", message, { context: { workspace, secret: name }, cause })
}

const CIPHER = "aes-256-gcm"
const NONCE_BYTES = 12
const TAG_BYTES = 16

interface Seal {
  readonly key: Uint8Array
  /** Identifies the record of the bytes. They can't be unsealed for another owner. */
  readonly owner: string
}

/** Encrypts `bytes` with AES-256-GCM (NIST SP 800-38D). Returns nonce, tag and ciphertext. */
function seal(bytes: Uint8Array, { key, owner }: Seal, randomBytes: (count: number) => Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** @throws if the key or the owner differs, or a bit was changed */
function unseal(sealed: Uint8Array, { key, owner }: Seal): Uint8Array {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}
