import { keepField, mapFields, type ApiEndpoint } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas/printable"

/** Environment variables that hold the keys of endpoints. On this machine they replace the secrets of a server. */
export interface KeyVariables {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Name of the variable for endpoints that name none. */
  readonly defaultVariable: string
}

/**
 * Returns the key of an endpoint that this machine calls: the key in the file, the value of the variable that `api_key_env` names, or
 * the value of the default variable. Undefined if the endpoint needs none.
 * @throws `bad_usage` if a named variable is empty, or if a secret is named and the default variable is empty
 */
export function endpointKey(
  { env, defaultVariable }: KeyVariables,
  { api_key: written, api_key_env: variable, api_key_secret: secret, url }: ApiEndpoint,
): string | undefined {
  if (written !== undefined && written !== "") return written
  const key = env[variable ?? defaultVariable]
  if (key !== undefined && key !== "") return key
  if (variable !== undefined) {
    const message = `The key of ${printable(url)} is in ${printable(variable)} (api_key_env), which is not set: put the key into it.`
    throw new AssayError("bad_usage", message)
  }
  if (secret === undefined) return undefined
  const message = `${printable(url)} names the secret '${printable(secret)}', which only a server has: on this machine set ${defaultVariable}, or the variable that api_key_env names.`
  throw new AssayError("bad_usage", message)
}

/** Returns the value of the secret that a guardrail names: the default variable. @throws `bad_usage` if it is not set */
export function secretKey({ env, defaultVariable }: KeyVariables, reference: string): string {
  const key = env[defaultVariable]
  if (key !== undefined && key !== "") return key
  const message = `Only a server has the secret '${printable(reference)}': on this machine set its value as ${defaultVariable}.`
  throw new AssayError("bad_usage", message)
}

/**
 * Copies a body and puts the key into each endpoint that names a variable (`api_key_env`), for a launch on a server. The server
 * stores the keys as secrets of the workspace and never shows them. Endpoints that name a secret of the server stay as they are.
 * @throws `bad_usage` if a variable is empty
 */
export function withKeys<T>(variables: KeyVariables, body: T): T {
  return mapFields(body, (field) => {
    if (field.kinds.includes("rows")) return keepField(field)
    return field.kinds.includes("endpoint") ? { [field.name]: withKey(variables, field.value) } : undefined
  })
}

function withKey(variables: KeyVariables, endpoint: unknown): unknown {
  if (typeof endpoint !== "object" || endpoint === null || !("api_key_env" in endpoint)) return endpoint
  const { api_key_env: variable, ...rest } = endpoint
  const url = "url" in endpoint ? String(endpoint.url) : "the endpoint"
  return { ...rest, api_key: endpointKey(variables, { url, model_id: "", api_key_env: String(variable) }) }
}
