import type { ApiEndpoint } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import { printable } from "../../../output/printable.ts"
import { KEY_VARIABLE } from "../../guard/resolve-key.ts"

/**
 * The key of an endpoint that is asked from here: what the file says, the variable that `api_key_env` names, or
 * ASSAY_INFERENCE_API_KEY. Here the environment stands for the secrets that a server keeps.
 * @throws `bad_usage` where a named variable is empty, or a secret is named and nothing stands for it
 */
export function endpointKey({ env }: Pick<Context, "env">, endpoint: ApiEndpoint): string | undefined {
  const { api_key: written, api_key_env: variable, api_key_secret: secret, url } = endpoint
  if (written !== undefined && written !== "") return written
  const key = env[variable ?? KEY_VARIABLE]
  if (key !== undefined && key !== "") return key
  if (variable !== undefined) {
    const message = `The key of ${printable(url)} is in ${printable(variable)} (api_key_env), which is not set: put the key into it.`
    throw new AssayError("bad_usage", message)
  }
  if (secret === undefined) return undefined
  const message = `${printable(url)} names the secret '${printable(secret)}', which a server keeps: here its key comes from ${KEY_VARIABLE}, or the variable that api_key_env names.`
  throw new AssayError("bad_usage", message)
}
