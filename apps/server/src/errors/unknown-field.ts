import { misspeltName } from "@assay/schemas"

/** Fields that a message lists. */
const MAX_LISTED = 12

/** Says what was probably meant by a field that the object schema `schema` does not know, else which fields it has. */
export function unknownField(key: string, schema: unknown): string {
  const fields = propertiesOf(schema)
  const names = Object.keys(fields)
  const about = `Unknown field '${key}'`
  const meant = misspeltName(key, names)
  if (meant !== undefined) return `${about}; did you mean '${meant}'?`
  const holder = names.find((name) => Object.hasOwn(propertiesOf(fields[name]), key))
  if (holder !== undefined) return `${about}; did you mean '${holder}.${key}'?`
  if (names.length === 0 || names.length > MAX_LISTED) return `${about}; it is not taken here`
  return `${about}; the fields here are '${names.join("', '")}'`
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const { properties = {} } = (schema ?? {}) as { readonly properties?: Readonly<Record<string, unknown>> }
  return properties
}
