import { parseSecretRef, type SecretAddress } from "./secret.ts"

/** How every key ends whose text names a secret. */
const ENDING = "_secret"

/** The user's own data: what looks like a reference there is none. */
const DATA: ReadonlySet<string> = new Set(["rows", "custom_fields", "ownership"])

/** Holds references in `secrets`, under names of the user's. */
export const HARNESS = "harness"

/** The secrets that a configuration of any kind names, wherever it does, where a name alone is one of the workspace `home`. */
export function secretsNamedIn(value: unknown, home: string): readonly SecretAddress[] {
  const found: SecretAddress[] = []
  mapReferences(value, (reference) => {
    found.push(parseSecretRef(reference, home))
    return reference
  })
  return found
}

/** The same with its secrets named with their workspace, so that it means the same secrets in another one. */
export function withSecretsOf<T>(value: T, home: string): T {
  return mapSecretReferences(value, (reference) => {
    const { workspace, name } = parseSecretRef(reference, home)
    return `${workspace}/${name}`
  })
}

/** The same with each reference to a secret changed. */
export function mapSecretReferences<T>(value: T, change: (reference: string) => string): T {
  return mapReferences(value, change) as T
}

function mapReferences(value: unknown, change: (reference: string) => string): unknown {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((part) => mapReferences(part, change))
  const parts = Object.entries(value).map(([key, part]) => {
    if (key.endsWith(ENDING) && typeof part === "string") return [key, change(part)]
    if (DATA.has(key)) return [key, part]
    const inside = mapReferences(part, change)
    return [key, key === HARNESS ? mapHarness(inside, change) : inside]
  })
  return Object.fromEntries(parts)
}

function mapHarness(harness: unknown, change: (reference: string) => string): unknown {
  const secrets = secretsOfHarness(harness)
  if (secrets === undefined) return harness
  const changed = Object.entries(secrets).map(([name, reference]) => [
    name,
    // One under such a name was met already.
    typeof reference === "string" && !name.endsWith(ENDING) ? change(reference) : reference,
  ])
  return { ...(harness as object), secrets: Object.fromEntries(changed) }
}

/** References by the variables that a harness finds them in; undefined where there are none. */
export function secretsOfHarness(harness: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof harness !== "object" || harness === null || !("secrets" in harness)) return undefined
  const { secrets } = harness
  return typeof secrets === "object" && secrets !== null ? (secrets as Record<string, unknown>) : undefined
}
