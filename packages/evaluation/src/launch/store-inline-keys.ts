import { secretsOfHarness } from "@assay/schemas"
import { HIDDEN_KEY, INLINE_KEYS, isKeyName } from "./key-names.ts"

/** Keeps a key as a secret and answers with the reference to it. */
export type CreateKeySecret = (key: string) => Promise<string>

/** What holds the user's own data: a column of that name is no key of an endpoint. */
const DATA = new Set(["rows"])

/**
 * The body of a target, a configuration or a launch with each key that was written inline (`api_key`, `hf_token`) kept as a secret:
 * the reference stands beside it, and the key itself is `******`. A key that stands in several places is kept once. A body without
 * such a key comes back as it is. What a harness would find in a variable named like a key becomes one of its `secrets`.
 */
export async function storeInlineKeys<T>(body: T, createSecret: CreateKeySecret): Promise<T> {
  const kept = new Map<string, Promise<string>>()
  const keep = (key: string) => {
    const reference = kept.get(key) ?? createSecret(key)
    kept.set(key, reference)
    return reference
  }
  return (await store(body, keep)) as T
}

async function store(value: unknown, keep: CreateKeySecret): Promise<unknown> {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) {
    const parts = await Promise.all(value.map((part) => store(part, keep)))
    return parts.some((part, index) => part !== value[index]) ? parts : value
  }
  const stored: Record<string, unknown> = {}
  let isChanged = false
  for (const [name, part] of Object.entries(value)) {
    const reference = Object.hasOwn(INLINE_KEYS, name) ? INLINE_KEYS[name] : undefined
    if (reference !== undefined && isKey(part)) {
      define(stored, name, HIDDEN_KEY)
      define(stored, reference, await keep(part))
      isChanged = true
      continue
    }
    // The reference to a key that was just kept wins over an older one beside it.
    if (Object.hasOwn(stored, name)) continue
    const next = DATA.has(name) ? part : name === "harness" ? await storeOfHarness(part, keep) : await store(part, keep)
    define(stored, name, next)
    isChanged ||= next !== part
  }
  return isChanged ? stored : value
}

/** Names in it are those of variables. */
async function storeOfHarness(harness: unknown, keep: CreateKeySecret): Promise<unknown> {
  if (typeof harness !== "object" || harness === null || !("environment" in harness)) return harness
  const { environment } = harness
  if (typeof environment !== "object" || environment === null) return harness
  const entries = Object.entries(environment)
  const keys = entries.filter((entry): entry is [string, string] => isKeyName(entry[0]) && isKey(entry[1]))
  if (keys.length === 0) return harness
  const kept = await Promise.all(keys.map(async ([name, key]) => [name, await keep(key)] as const))
  const names = new Set(keys.map(([name]) => name))
  return {
    ...harness,
    environment: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
    secrets: { ...secretsOfHarness(harness), ...Object.fromEntries(kept) },
  }
}

function isKey(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value !== HIDDEN_KEY
}

/** As an own property, also where the name is `__proto__`. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}
