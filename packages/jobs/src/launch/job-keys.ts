import { isObject } from "@assay/json"
import {
  type ApiEndpoint,
  type AssayError,
  invalidRequest,
  keepField,
  mapFields,
  parseSecretRef,
  printable,
} from "@assay/schemas"
import type { LaunchSubject } from "@assay/attempts"

/** The keys of a job, under names of variables. */
export interface JobKeys {
  /** References to secrets, by the variables that get their values in the processes of shards. */
  readonly references: ReadonlyMap<string, string>
  /** The hosts that may get keys. */
  readonly hosts: readonly string[]
}

/** A job whose endpoints name variables instead of secrets: no file of its run has a key. */
export interface JobWithVariables extends JobKeys {
  readonly job: LaunchSubject
}

/**
 * Replaces the secrets of a job's endpoints by variables.
 * @throws `invalid_request` for secrets that are not keys of endpoints, and for endpoints that name variables themselves: those of the processes belong to the operator
 */
export function nameVariables({ namespace, target, config }: LaunchSubject): JobWithVariables {
  const references = new Map<string, string>()
  const hosts = new Set<string>()
  const withVariable = (endpoint: Readonly<Record<string, unknown>>): object => {
    const { api_key: _key, api_key_secret: reference, ...rest } = endpoint as ApiEndpoint & Record<string, unknown>
    if ("api_key_env" in rest) throw refused(`'api_key_env' of ${printable(rest.url)} names a variable`)
    if (reference === undefined) return rest
    const variable = variableOf(reference, namespace)
    references.set(variable, reference)
    hosts.add(hostOf(rest.url))
    return { ...rest, api_key_env: variable }
  }
  const job = mapFields({ target, config }, (field, path) => {
    const { name, value, kinds } = field
    if (kinds.includes("rows") || kinds.includes("custom-fields")) return keepField(field)
    if (kinds.includes("endpoint") && isObject(value)) return { [name]: withVariable(value) }
    if (kinds.includes("secret-reference") && typeof value === "string") {
      throw refused(`'${printable(path.join("."))}' names a secret that is not the key of an endpoint`)
    }
    return undefined
  })
  return { job: { namespace, ...job }, references, hosts: [...hosts] }
}

/**
 * Returns the variable of a secret, such as `MODEL_KEY_DEFAULT__OPENAI` for `default/openai`. No two secrets have the same one: characters other than
 * small letters and digits are written as `_` and their code, and `__` is between workspace and name.
 */
export function variableOf(reference: string, home: string): string {
  const { workspace, name } = parseSecretRef(reference, home)
  return `MODEL_KEY_${[workspace, name].map(wordOf).join("__")}`
}

function wordOf(text: string): string {
  const code = (character: string) => `_${character.codePointAt(0)?.toString(16).padStart(2, "0").toUpperCase()}`
  return text.replaceAll(/[^a-z0-9]/gu, code).toUpperCase()
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}

function refused(what: string): AssayError {
  const rule = `The job can't run on an executor: ${what}. Leave it out, or give the model its key as 'api_key_secret'.`
  return invalidRequest(["config", "params", "executor"], rule, "value_error")
}
