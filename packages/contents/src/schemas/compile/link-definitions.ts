import { unescapePointerToken } from "../json-pointer.ts"
import type { JsonSchema } from "../json-schema.ts"
import { mapSchema } from "./map-schema.ts"

/** Prefix of the identifiers of definitions. Such an address can't be fetched. */
const SCHEME = "assay:schema_defs/"
const POINTER = /^#\/schema_defs\/([^/]*)(.*)$/s

export interface LinkedSchema {
  readonly schema: JsonSchema
  /** Every definition that `schema` reaches, by name. */
  readonly definitions: ReadonlyMap<string, JsonSchema>
}

/**
 * Links `schema` to the definitions that it reaches by `#/schema_defs/<name>`. Each definition stays a document of its
 * own: `#/$defs/x` in a definition refers to its own `$defs`.
 * @throws `RangeError` if a schema is nested too deeply; `Error` that names a missing definition
 */
export function linkDefinitions(schema: JsonSchema, all: Readonly<Record<string, JsonSchema>>): LinkedSchema {
  const definitions = new Map<string, JsonSchema>()
  const waiting: string[] = []
  const link = (part: JsonSchema): JsonSchema => {
    const [, encoded, rest = ""] = POINTER.exec(typeof part["$ref"] === "string" ? part["$ref"] : "") ?? []
    if (encoded === undefined) return part
    const name = unescapePointerToken(decodeURIComponent(encoded))
    if (!Object.hasOwn(all, name)) throw new Error(`refers to '${name}', which is not in schema_defs`)
    waiting.push(name)
    return { ...part, $ref: `${definitionId(name)}${rest === "" ? "" : `#${rest}`}` }
  }
  const linked = mapSchema(schema, link)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const definition = all[name]
    if (definition === undefined || definitions.has(name)) continue
    definitions.set(name, {})
    definitions.set(name, mapSchema(definition, link))
  }
  return { schema: linked, definitions }
}

/** Returns the identifier of a linked definition. */
export function definitionId(name: string): string {
  return `${SCHEME}${encodeURIComponent(name)}`
}
