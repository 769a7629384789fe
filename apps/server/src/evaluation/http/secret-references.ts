import { parseSecretRef, type SecretAddress } from "@assay/schemas"

/** How every key ends whose text names a secret. */
const ENDING = "_secret"
/** The user's own data: what looks like a reference there is none. */
const DATA: ReadonlySet<string> = new Set(["rows"])

/** The secrets that a target or a configuration names, wherever it does, where a name alone is one of the workspace `home`. */
export function secretsNamedIn(value: unknown, home: string): readonly SecretAddress[] {
  const found: SecretAddress[] = []
  mapReferences(value, (reference) => {
    found.push(parseSecretRef(reference, home))
    return reference
  })
  return found
}

/** The same target or configuration with its secrets named with their workspace, so that it can be used in another one. */
export function withSecretsOf<T>(value: T, home: string): T {
  return mapReferences(value, (reference) => {
    const { workspace, name } = parseSecretRef(reference, home)
    return `${workspace}/${name}`
  }) as T
}

function mapReferences(value: unknown, change: (reference: string) => string): unknown {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((part) => mapReferences(part, change))
  const parts = Object.entries(value).map(([key, part]) => {
    if (key.endsWith(ENDING) && typeof part === "string") return [key, change(part)]
    return [key, DATA.has(key) ? part : mapReferences(part, change)]
  })
  return Object.fromEntries(parts)
}
