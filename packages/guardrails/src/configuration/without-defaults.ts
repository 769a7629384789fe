import { GuardrailData } from "@assay/schemas"

/** The parts of a JSON schema that say where defaults are. */
interface SchemaPart {
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, SchemaPart>>
  readonly patternProperties?: Readonly<Record<string, SchemaPart>>
  readonly items?: SchemaPart
}

/**
 * Returns a configuration without the values that are the defaults of their fields. A server fills defaults when it stores a configuration,
 * so a file and what is stored of it are the same only without them.
 */
export function withoutDefaults(data: GuardrailData): GuardrailData {
  return strip(data, GuardrailData) as GuardrailData
}

function strip(value: unknown, schema: SchemaPart | undefined): unknown {
  if (schema === undefined || typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((one) => strip(one, schema.items))
  const [pattern] = Object.values(schema.patternProperties ?? {})
  const entries = Object.entries(value).flatMap(([key, one]: [string, unknown]) => {
    const part =
      schema.properties !== undefined && Object.hasOwn(schema.properties, key) ? schema.properties[key] : pattern
    return part?.default !== undefined && part.default === one ? [] : [[key, strip(one, part)] as const]
  })
  return Object.fromEntries(entries)
}
