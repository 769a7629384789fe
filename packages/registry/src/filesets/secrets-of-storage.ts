import { parseSecretRef, type SecretAddress, type StorageConfiguration } from "@assay/schemas"

/** The keys of a storage configuration that hold a secret reference. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  "api_key_secret",
  "token_secret",
  "access_key_id_secret",
  "secret_access_key_secret",
])

/** The secrets that a storage configuration names, as they are found from `workspace`. */
export function secretsOfStorage(storage: StorageConfiguration, workspace: string): readonly SecretAddress[] {
  const refs = Object.entries(storage).flatMap(([key, ref]) => (SECRET_KEYS.has(key) ? [String(ref)] : []))
  return refs.map((ref) => parseSecretRef(ref, workspace))
}
