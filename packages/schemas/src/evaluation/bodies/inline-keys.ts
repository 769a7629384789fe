import { maskUrlUsers } from "../../requests/url-user.ts"
import { readBodyFacts } from "./body-facts.ts"
import type { BodyFields } from "./body-fields.ts"
import { HIDDEN_KEY, isInlineKey, objectIn, variablesWithKeys } from "./inline-key.ts"
import { keepField, mapFields } from "./map-fields.ts"

/** Stores a key as a secret, and returns the reference to it. */
export type CreateKeySecret = (key: string) => Promise<string>

export interface StoreKeysOptions {
  readonly fields?: BodyFields | undefined
  /** The inline keys of the body, if they are known already. */
  readonly keys?: readonly string[]
}

/**
 * Returns the body of a target, a configuration or a launch with each inline key (`api_key`, `hf_token`) stored as a secret: the
 * key becomes `******`, and the reference to the secret is added next to it. A key in several locations is stored once. If a variable
 * of a harness is named like a key, it becomes one of the harness's `secrets`. A body without inline keys keeps its identity.
 */
export async function storeInlineKeys<T>(
  body: T,
  createSecret: CreateKeySecret,
  { fields, keys = readBodyFacts(body, fields).inlineKeys }: StoreKeysOptions = {},
): Promise<T> {
  const references = new Map<string, string>()
  for (const key of keys) references.set(key, await createSecret(key))
  return references.size === 0 ? body : replaceKeys(body, (key) => references.get(key) ?? "", fields)
}

function replaceKeys<T>(body: T, referenceOf: (key: string) => string, fields: BodyFields | undefined): T {
  return mapFields(
    body,
    (field) => {
      const { name, value, kinds, reference } = field
      if (kinds.includes("rows")) return keepField(field)
      if (kinds.includes("harness")) return { [name]: replaceVariables(value, referenceOf) }
      if (reference === undefined || !isInlineKey(value)) return undefined
      return { [name]: HIDDEN_KEY, [reference]: referenceOf(value) }
    },
    fields,
  )
}

/** Moves variables named like keys from the `environment` of a harness to its `secrets`. */
function replaceVariables(harness: unknown, referenceOf: (key: string) => string): unknown {
  const keys = variablesWithKeys(harness)
  if (keys.length === 0) return harness
  const names = new Set(keys.map(([name]) => name))
  const environment = Object.entries(objectIn(harness, "environment") ?? {})
  return {
    ...(harness as object),
    environment: Object.fromEntries(environment.filter(([name]) => !names.has(name))),
    secrets: {
      ...objectIn(harness, "secrets"),
      ...Object.fromEntries(keys.map(([name, key]) => [name, referenceOf(key)])),
    },
  }
}

/**
 * Returns `value` with each key at any depth as `******`, and without the user names and passwords of addresses: the form of
 * targets and configurations in answers and results. References to secrets and names of variables stay. A value without a key
 * keeps its identity.
 */
export function maskKeys<T>(value: T, fields?: BodyFields): T {
  return mapFields(
    maskUrlUsers(value),
    ({ name, value: part, kinds }) => (kinds.includes("key") && isShown(part) ? { [name]: HIDDEN_KEY } : undefined),
    fields,
  )
}

/** Returns whether a value is shown. An object is not a key: a property of a JSON schema can have the name of one. */
function isShown(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return false
  return typeof value !== "object" || Array.isArray(value)
}
