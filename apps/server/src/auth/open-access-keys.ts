import { createAccessKey, type AccessKey } from "@assay/access"
import { AssayError } from "@assay/schemas"
import { accessKeysKeysOf, type KeysContext } from "../open-settings-registry.ts"

/**
 * Returns a function that makes the access key of a new token for S3 clients, as the server with these settings does.
 * @throws `bad_settings` if the encryption keys, from which secrets are derived, do not exist yet or can't be read
 */
export function openAccessKeys(
  context: Omit<KeysContext, "randomBytes">,
  dataFolder: string,
): (token: { readonly id: string; readonly token: string }) => AccessKey {
  const [key] = accessKeysKeysOf({ ...context, randomBytes: noKeys(dataFolder) }, dataFolder)
  return (token) => createAccessKey(key, token)
}

/** Only a server may make new keys: it checks first that none is lost. */
function noKeys(dataFolder: string): () => never {
  return () => {
    const message = `There are no encryption keys in '${dataFolder}' yet, from which the secrets of S3 access keys are derived. Start the server once, then create the token, or name a server with --server.`
    throw new AssayError("bad_settings", message)
  }
}
