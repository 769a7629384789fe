import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from "node:fs"
import { dirname, join } from "node:path"
import { AssayError, isAssayError } from "@assay/schemas"
import { syncFolderAtOnce } from "@assay/storage"
import type { EncryptionKey } from "./envelope.ts"

/** The file of the keys in the data folder. */
export const ENCRYPTION_KEYS_FILE = "encryption-keys"

export interface EncryptionKeys {
  /** Newest first. */
  readonly keys: readonly EncryptionKey[]
  /** The source of the keys, for messages: "the file '…'". */
  readonly source: string
  /** Writes a new key to its file. Called once it is known that no secret needs another key. */
  readonly keep: () => void
}

/** Base64 of 32 bytes in either alphabet, with or without padding. */
const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/_-]{43}=?$/

function parseKey(text: string, source: string): EncryptionKey {
  const colon = text.indexOf(":")
  const name = text.slice(0, colon)
  const encoded = text.slice(colon + 1).trim()
  if (colon < 1 || !BASE64_OF_32_BYTES.test(encoded)) {
    // The text is a key or nearly one, so the message must not contain it.
    throw new AssayError(
      "bad_settings",
      `${source} must be name:base64 of exactly 32 bytes; \`openssl rand -base64 32\` generates them.`,
    )
  }
  return { name, key: Buffer.from(encoded, "base64") }
}

function parseKeys(texts: readonly string[], source: string): readonly EncryptionKey[] {
  const keys = texts.map((text, index) => parseKey(text, `${source}, key ${index + 1},`))
  const twice = keys.find(({ name }, index) => keys.findIndex((key) => key.name === name) !== index)
  if (twice !== undefined) throw new AssayError("bad_settings", `${source} contains the key '${twice.name}' twice.`)
  return keys
}

/** Remedies for a damaged file with keys. */
const PUT_BACK = "Restore it from a backup."
const PUT_BACK_OR_DELETE =
  "Restore it from a backup. If no secret was ever stored, delete it, and a new one is created."

/** Reads a file of keys. Returns undefined if there is no file. @throws `bad_settings` if it is truncated or not a list of keys */
function readKeysFile(file: string, advice: string): readonly EncryptionKey[] | undefined {
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    const message = `The file '${file}' with the encryption keys can't be read: ${(error as Error).message}.`
    throw new AssayError("bad_settings", message, { cause: error })
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  if (lines.length === 0) {
    throw new AssayError("bad_settings", `The file '${file}' contains no encryption key: it was truncated. ${advice}`)
  }
  try {
    return parseKeys(lines, `The file '${file}'`)
  } catch (error) {
    if (!isAssayError(error)) throw error
    throw new AssayError("bad_settings", `${error.message} ${advice}`, { cause: error })
  }
}

/** Writes a key to its file, atomically and durably, before the first secret needs it. */
function writeKeysFile(file: string, { name, key }: EncryptionKey): void {
  const temporary = `${file}.new`
  const descriptor = openSync(temporary, "w", 0o600)
  try {
    writeSync(descriptor, `${name}:${Buffer.from(key).toString("base64")}\n`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(temporary, file)
  syncFolderAtOnce(dirname(file))
}

/** Mode bits of users other than the owner. */
const OTHERS_MAY_WRITE = 0o022
const OTHERS_MAY_READ = 0o044

/**
 * Reads the keys of a file that the operator names, newest first. Calls `warn` if others can read the file.
 * @throws `bad_settings` if the file does not exist, can be changed by others, or contains no keys
 */
export function readEncryptionKeys(file: string, warn: (message: string) => void): EncryptionKeys {
  const source = `ASSAY_ENCRYPTION_KEYS_FILE '${file}'`
  const mode = modeOf(file, source)
  const shown = mode.toString(8).padStart(4, "0")
  if ((mode & OTHERS_MAY_WRITE) !== 0) {
    throw new AssayError("bad_settings", `${source} can be changed by others (mode ${shown}). Run \`chmod 600\` on it.`)
  }
  if ((mode & OTHERS_MAY_READ) !== 0) warn(`${source} can be read by others (mode ${shown}). Run \`chmod 600\` on it.`)
  return { keys: readKeysFile(file, PUT_BACK) ?? [], source, keep: () => {} }
}

function modeOf(file: string, source: string): number {
  try {
    const stats = statSync(file)
    if (stats.isFile()) return stats.mode & 0o777
  } catch (cause) {
    throw new AssayError("bad_settings", `${source} can't be read: ${(cause as Error).message}.`, { cause })
  }
  throw new AssayError("bad_settings", `${source} is not a file.`)
}

/**
 * Returns the key-encryption keys, newest first: the given ones, or those of the file in the data folder. If there is no file,
 * creates a new key, which `keep` writes later: a new key that replaced a lost one at once would hide the loss. The new key
 * has a new name, so that each secret shows which key encrypted it.
 * @throws `bad_settings`
 */
export function openEncryptionKeys(
  given: readonly string[],
  dataFolder: string,
  randomBytes: (size: number) => Uint8Array,
): EncryptionKeys {
  if (given.length > 0) {
    return { keys: parseKeys(given, "ASSAY_ENCRYPTION_KEYS"), source: "ASSAY_ENCRYPTION_KEYS", keep: () => {} }
  }
  const file = join(dataFolder, ENCRYPTION_KEYS_FILE)
  const kept = readKeysFile(file, PUT_BACK_OR_DELETE)
  if (kept !== undefined) return { keys: kept, source: `the file '${file}'`, keep: () => {} }
  const name = `local-${Buffer.from(randomBytes(4)).toString("hex")}`
  const made = { name, key: randomBytes(32) }
  return { keys: [made], source: `the file '${file}' (there is no such file)`, keep: () => writeKeysFile(file, made) }
}
