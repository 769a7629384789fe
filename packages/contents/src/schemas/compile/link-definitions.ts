import type { JsonSchema } from "../json-schema.ts"
import { mapSchema } from "./map-schema.ts"

/** Begins the identifiers under which definitions are known to each other; no such address can be fetched. */
const SCHEME = "assay:schema_defs/"
const POINTER = /^#\/schema_defs\/([^/]*)(.*)$/s

export interface LinkedSchema {
  readonly schema: JsonSchema
  /** Every definition that `schema` reaches, by its name. */
  readonly definitions: ReadonlyMap<string, JsonSchema>
}

/**
 * `schema` and the definitions that it reaches by `#/schema_defs/<name>`, linked so that each stays a document of its
 * own: `#/$defs/x` within a definition means that definition's own `$defs`.
 * @throws `RangeError` where a schema is nested too deep, `Error` that names a definition that is not there
 */
export function linkDefinitions(schema: JsonSchema, all: Readonly<Record<string, JsonSchema>>): LinkedSchema {
  const definitions = new Map<string, JsonSchema>()
  const waiting: string[] = []
  const link = (part: JsonSchema): JsonSchema => {
    const [, encoded, rest = ""] = POINTER.exec(typeof part["$ref"] === "string" ? part["$ref"] : "") ?? []
    if (encoded === undefined) return part
    const name = decodePointer(encoded)
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

/** What a linked definition is known by. */
export function definitionId(name: string): string {
  return `${SCHEME}${encodeURIComponent(name)}`
}

function decodePointer(token: string): string {
  return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~")
}
