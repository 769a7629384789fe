/** The parts of a JSON Schema that completions read. */
export interface SchemaPart {
  readonly description?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly SchemaPart[]
  readonly properties?: Readonly<Record<string, SchemaPart>>
  readonly patternProperties?: Readonly<Record<string, SchemaPart>>
  readonly items?: SchemaPart | readonly SchemaPart[]
}

/** Returns the schemas that a value at a path can have, each without a union. `-` in the path is an item. */
export function schemasAt(root: SchemaPart, path: readonly string[]): readonly SchemaPart[] {
  let found = membersOf(root)
  for (const step of path) found = found.flatMap((schema) => stepInto(schema, step)).flatMap(membersOf)
  return found
}

function stepInto(schema: SchemaPart, step: string): readonly SchemaPart[] {
  if (step === "-") {
    const { items } = schema
    return items === undefined ? [] : Array.isArray(items) ? items : [items as SchemaPart]
  }
  const { properties = {}, patternProperties = {} } = schema
  const own = Object.hasOwn(properties, step) ? properties[step] : undefined
  if (own !== undefined) return [own]
  return Object.entries(patternProperties).flatMap(([pattern, one]) => (new RegExp(pattern, "u").test(step) ? [one] : []))
}

/** Returns the members of a union with its words, or the schema itself. */
function membersOf(schema: SchemaPart): readonly SchemaPart[] {
  const { anyOf, description, examples } = schema
  if (anyOf === undefined) return [schema]
  return anyOf.flatMap(membersOf).map((member) => ({
    ...member,
    ...(member.description === undefined && description !== undefined ? { description } : {}),
    ...(member.examples === undefined && examples !== undefined ? { examples } : {}),
  }))
}
