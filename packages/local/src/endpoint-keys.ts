import { readKeyVariable, type KeyVariables } from "@assay/inference"
import { type ApiEndpoint, keepField, mapFields, printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"

/**
 * Returns the key of an endpoint that this machine calls: the key in the file, the value of the variable that `api_key_env` names, or
 * the value of the default variable. Undefined if the endpoint needs none.
 * @throws `key_not_allowed`; `bad_settings` if a named variable is empty, or if a secret is named and the default variable is empty
 */
export function endpointKey(
  variables: KeyVariables,
  { api_key: written, api_key_env: variable, api_key_secret: secret, url }: ApiEndpoint,
): string | undefined {
  if (written !== undefined && written !== "") return written
  const { defaultVariable } = variables
  const key = readKeyVariable(variables, variable ?? defaultVariable, url)
  if (key !== undefined) return key
  if (variable !== undefined) {
    const name = printable(variable)
    const message = `The key of ${printable(url)} is read from the variable ${name}, which is not set.`
    throw unsetKey(message, name)
  }
  if (secret === undefined) return undefined
  const message = `${printable(url)} names the secret '${printable(secret)}', which only a server has: on this machine set ${defaultVariable}, or name a variable as its key.`
  throw unsetKey(message, defaultVariable)
}

function unsetKey(message: string, variable: string): AssayError {
  return new AssayError("bad_settings", message, {
    context: { remedy: `Set ${variable} to the key: export ${variable}=…` },
  })
}

/**
 * Returns the value of the secret that a guardrail or a harness names: the default variable.
 * @param url the endpoint that gets it; undefined for a command of this machine
 * @throws `key_not_allowed`; `bad_settings` if it is not set
 */
export function secretKey(variables: KeyVariables, reference: string, url: string | undefined): string {
  const { env, defaultVariable } = variables
  const key = url === undefined ? env[defaultVariable] : readKeyVariable(variables, defaultVariable, url)
  if (key !== undefined && key !== "") return key
  const message = `Only a server has the secret '${printable(reference)}': on this machine set its value as ${defaultVariable}.`
  throw unsetKey(message, defaultVariable)
}

/**
 * Copies a body and puts the key into each endpoint that names a variable (`api_key_env`), for a launch on a server. The server
 * stores the keys as secrets of the workspace and never shows them. Endpoints that name a secret of the server stay as they are.
 * @throws `key_not_allowed`; `bad_settings` if a variable is empty
 */
export function withKeys<T>(variables: KeyVariables, body: T): T {
  return mapFields(body, (field) => {
    if (field.kinds.includes("rows")) return keepField(field)
    return field.kinds.includes("endpoint") ? { [field.name]: withKey(variables, field.value) } : undefined
  })
}

/**
 * Checks that this machine may send the keys that a body names, before the first request of any job of its file.
 * @param isServed whether a server asks the models: then only variables that the file names are read
 * @throws `key_not_allowed`; `bad_settings` if a variable is empty
 */
export function checkKeys(variables: KeyVariables, body: object, { isServed }: { readonly isServed: boolean }): void {
  mapFields(body, (field) => {
    if (field.kinds.includes("rows")) return keepField(field)
    if (!field.kinds.includes("endpoint")) return undefined
    if (isServed) withKey(variables, field.value)
    else if (isEndpoint(field.value)) endpointKey(variables, field.value)
    return keepField(field)
  })
}

function isEndpoint(value: unknown): value is ApiEndpoint {
  return typeof value === "object" && value !== null && "url" in value && typeof value.url === "string"
}

function withKey(variables: KeyVariables, endpoint: unknown): unknown {
  if (typeof endpoint !== "object" || endpoint === null || !("api_key_env" in endpoint)) return endpoint
  const { api_key_env: variable, ...rest } = endpoint
  const url = "url" in endpoint ? String(endpoint.url) : "the endpoint"
  return { ...rest, api_key: endpointKey(variables, { url, model_id: "", api_key_env: String(variable) }) }
}
