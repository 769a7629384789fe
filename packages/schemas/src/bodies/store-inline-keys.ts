import { isKeyName, type BodyFields } from "./body-fields.ts"
import { keepField, mapFields } from "./map-fields.ts"
import { HIDDEN_KEY } from "./mask-keys.ts"

/** Stores a key as a secret, and returns the reference to it. */
export type CreateKeySecret = (key: string) => Promise<string>

/**
 * Returns the body of a target, a configuration or a launch with each inline key (`api_key`, `hf_token`) stored as a secret: the
 * key becomes `******`, and the reference to the secret is added next to it. A key in several places is stored once. If a variable
 * of a harness is named like a key, it becomes one of the harness's `secrets`. A body without inline keys keeps its identity.
 */
export async function storeInlineKeys<T>(body: T, createSecret: CreateKeySecret, fields?: BodyFields): Promise<T> {
  const references = new Map<string, string>()
  const note = (key: string) => {
    references.set(key, "")
    return ""
  }
  replaceKeys(body, note, fields)
  for (const key of references.keys()) references.set(key, await createSecret(key))
  return references.size === 0 ? body : replaceKeys(body, (key) => references.get(key) ?? "", fields)
}

function replaceKeys<T>(body: T, referenceOf: (key: string) => string, fields: BodyFields | undefined): T {
  return mapFields(
    body,
    (field) => {
      const { name, value, kinds, reference } = field
      if (kinds.includes("rows")) return keepField(field)
      if (kinds.includes("harness")) return { [name]: replaceVariables(value, referenceOf) }
      if (reference === undefined || !isKey(value)) return undefined
      return { [name]: HIDDEN_KEY, [reference]: referenceOf(value) }
    },
    fields,
  )
}

/** Moves variables named like keys from the `environment` of a harness to its `secrets`. */
function replaceVariables(harness: unknown, referenceOf: (key: string) => string): unknown {
  const environment = objectIn(harness, "environment")
  if (environment === undefined) return harness
  const entries = Object.entries(environment)
  const keys = entries.filter((entry): entry is [string, string] => isKeyName(entry[0]) && isKey(entry[1]))
  if (keys.length === 0) return harness
  const names = new Set(keys.map(([name]) => name))
  return {
    ...(harness as object),
    environment: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
    secrets: {
      ...objectIn(harness, "secrets"),
      ...Object.fromEntries(keys.map(([name, key]) => [name, referenceOf(key)])),
    },
  }
}

function objectIn(value: unknown, name: string): object | undefined {
  const part: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
  return typeof part === "object" && part !== null ? part : undefined
}

function isKey(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value !== HIDDEN_KEY
}
