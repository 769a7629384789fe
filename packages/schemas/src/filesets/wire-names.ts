import { isObject } from "@assay/json"
/** The words that clients of vendors use. They are accepted on input, and used in responses if the operator chooses so. */
const VENDOR_STORAGE_TYPES = { catalog: "ngc", hub: "huggingface", objstore: "s3" } as const
const VENDOR_SIGNATURE_VERSIONS = { v4: "s3v4", v2: "s3" } as const

/** The words that responses use. */
export type WireNames = "neutral" | "vendor"

function neutralWord(table: Readonly<Record<string, string>>, word: unknown): unknown {
  return Object.keys(table).find((neutral) => table[neutral] === word) ?? word
}

/** Returns the neutral word for a storage type in either spelling; anything else unchanged. */
export function neutralStorageType(word: unknown): unknown {
  return neutralWord(VENDOR_STORAGE_TYPES, word)
}

/**
 * Replaces the vendors' words in a storage configuration with neutral ones, and adds the type `local` if it has none. Returns anything
 * that is not an object unchanged.
 */
export function neutralStorage(storage: unknown): unknown {
  if (!isObject(storage)) return storage
  const { type, ...rest } = storage
  const neutral: Record<string, unknown> = { type: "type" in storage ? neutralStorageType(type) : "local", ...rest }
  if ("signature_version" in neutral) {
    neutral["signature_version"] = neutralWord(VENDOR_SIGNATURE_VERSIONS, neutral["signature_version"])
  }
  return neutral
}

/** Replaces the neutral words in a storage configuration with the vendors' words. */
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
