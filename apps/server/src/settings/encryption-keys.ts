import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from "node:fs"
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

/** Anybody but its owner. */
const OTHERS_MAY_WRITE = 0o022
const OTHERS_MAY_READ = 0o044

/**
 * The keys of a file that the operator names, newest first. `warn` is told of a file that others can read.
 * @throws `bad_settings` for one that is not there, that others can change, or that holds no keys
 */
export function readEncryptionKeys(file: string, warn: (message: string) => void): readonly EncryptionKey[] {
  const place = `ASSAY_ENCRYPTION_KEYS_FILE '${file}'`
  const mode = modeOf(file, place)
  const shown = mode.toString(8).padStart(4, "0")
  if ((mode & OTHERS_MAY_WRITE) !== 0) {
    throw new AssayError("bad_settings", `${place} can be changed by others (mode ${shown}); \`chmod 600\` it.`)
  }
  if ((mode & OTHERS_MAY_READ) !== 0) warn(`${place} can be read by others (mode ${shown}); \`chmod 600\` it`)
  const keys = readKeysFile(file) ?? []
  if (keys.length === 0) throw new AssayError("bad_settings", `${place} holds no keys; write name:base64, one a line.`)
  return keys
}

function modeOf(file: string, place: string): number {
  try {
    const stats = statSync(file)
    if (stats.isFile()) return stats.mode & 0o777
  } catch (cause) {
    throw new AssayError("bad_settings", `${place} can't be read: ${(cause as Error).message}.`, { cause })
  }
  throw new AssayError("bad_settings", `${place} is not a file.`)
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
