import { AssayError } from "@assay/schemas"

/** A key-encryption key: it seals the data keys of secrets. */
export interface EncryptionKey {
  readonly name: string
  /** 32 bytes. */
  readonly key: Uint8Array
}

export interface KeyRing {
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
