/** The words that vendors' own clients use for ours: accepted on input, and answered with where the operator says so. */
const VENDOR_STORAGE_TYPES = { catalog: "ngc", hub: "huggingface", objstore: "s3" } as const
const VENDOR_SIGNATURE_VERSIONS = { v4: "s3v4", v2: "s3" } as const

/** Which words the answers use. */
export type WireNames = "neutral" | "vendor"

function neutralWord(table: Readonly<Record<string, string>>, word: unknown): unknown {
  return Object.keys(table).find((neutral) => table[neutral] === word) ?? word
}

/** The neutral word for a storage type in either spelling; anything else comes back as it is. */
export function neutralStorageType(word: unknown): unknown {
  return neutralWord(VENDOR_STORAGE_TYPES, word)
}

/**
 * A storage configuration with the vendors' words replaced by ours, and `local` where no type is named; what is no
 * object comes back as it is.
 */
export function neutralStorage(storage: unknown): unknown {
  if (typeof storage !== "object" || storage === null || Array.isArray(storage)) return storage
  const { type, ...rest } = storage as Record<string, unknown>
  const neutral: Record<string, unknown> = { type: "type" in storage ? neutralStorageType(type) : "local", ...rest }
  if ("signature_version" in neutral) {
    neutral["signature_version"] = neutralWord(VENDOR_SIGNATURE_VERSIONS, neutral["signature_version"])
  }
  return neutral
}

/** A storage configuration in the vendors' words. */
export function vendorStorage(storage: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const types: Readonly<Record<string, string>> = VENDOR_STORAGE_TYPES
  const signatures: Readonly<Record<string, string>> = VENDOR_SIGNATURE_VERSIONS
  const type = storage["type"]
  const signature = storage["signature_version"]
  return {
    ...storage,
    ...(typeof type === "string" ? { type: types[type] ?? type } : {}),
    ...(typeof signature === "string" ? { signature_version: signatures[signature] ?? signature } : {}),
  }
}
