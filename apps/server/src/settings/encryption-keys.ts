import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { AssayError } from "@assay/schemas"

export interface EncryptionKey {
  readonly name: string
  /** 32 bytes. */
  readonly key: Uint8Array
}

export const ENCRYPTION_KEYS_FILE = "encryption-keys"

function parseKey(text: string, place: string): EncryptionKey {
  const colon = text.indexOf(":")
  const name = text.slice(0, colon)
  const key = Buffer.from(text.slice(colon + 1), "base64")
  if (colon < 1 || key.length !== 32) {
    // The text is a key or nearly one: it must not show.
    throw new AssayError(
      "bad_settings",
      `${place} must be name:base64 of exactly 32 bytes; \`openssl rand -base64 32\` makes them.`,
    )
  }
  return { name, key }
}

function parseKeys(texts: readonly string[], place: string): readonly EncryptionKey[] {
  const keys = texts.map((text, index) => parseKey(text, `${place}, key ${index + 1},`))
  const twice = keys.find(({ name }, index) => keys.findIndex((key) => key.name === name) !== index)
  if (twice !== undefined) throw new AssayError("bad_settings", `${place} names the key '${twice.name}' twice.`)
  return keys
}

function readKeysFile(file: string): readonly EncryptionKey[] | undefined {
  try {
    return parseKeys(
      readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line.trim() !== ""),
      `The file '${file}'`,
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

function makeKeysFile(file: string, key: Uint8Array): readonly EncryptionKey[] {
  const descriptor = openSync(file, "wx", 0o600)
  try {
    writeSync(descriptor, `local-1:${Buffer.from(key).toString("base64")}\n`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  return [{ name: "local-1", key }]
}

/**
 * The key-encryption keys, newest first: the ones given, else those of the file in the data folder, which is made on
 * first start and readable by its owner alone.
 */
export function openEncryptionKeys(
  given: readonly string[],
  dataFolder: string,
  randomBytes: (size: number) => Uint8Array,
): readonly EncryptionKey[] {
  if (given.length > 0) return parseKeys(given, "ASSAY_ENCRYPTION_KEYS")
  const file = join(dataFolder, ENCRYPTION_KEYS_FILE)
  return readKeysFile(file) ?? makeKeysFile(file, randomBytes(32))
}
