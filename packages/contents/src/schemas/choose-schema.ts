import type { DatasetMetadata } from "@assay/schemas"
import { compareCodePoints } from "@assay/storage"
import { escapePointerToken, type JsonSchema } from "./json-schema.ts"
import { compilePathGlob } from "./path-glob.ts"

/** The schema that the dataset metadata assigns to a path. */
export interface ChosenSchema {
  /** The schema's name in `schema_defs`. For an inline schema, its JSON pointer into the dataset metadata. */
  readonly label: string
  readonly schema: JsonSchema
}

/**
 * Creates a function that returns the schema for a path: that of `schemas_by_path` whose key is the path itself, or
 * else of the longest matching glob (the first by code points if two are equally long), or else `schema`.
 */
export function createSchemaChooser(metadata: DatasetMetadata): (path: string) => ChosenSchema | undefined {
  const { schemas_by_path: byPath = {}, schema_defs: definitions = {} } = metadata
  const globs = Object.keys(byPath)
    .toSorted((a, b) => b.length - a.length || compareCodePoints(a, b))
    .map((key) => ({ key, matches: compilePathGlob(key) }))

  function choose(given: JsonSchema | string | undefined, pointer: string): ChosenSchema | undefined {
    if (given === undefined) return undefined
    if (typeof given !== "string") return { label: pointer, schema: given }
    const schema = Object.hasOwn(definitions, given) ? definitions[given] : undefined
    return schema === undefined ? undefined : { label: given, schema }
  }

  return (path) => {
    const key = Object.hasOwn(byPath, path) ? path : globs.find(({ matches }) => matches(path))?.key
    if (key === undefined) return choose(metadata.schema, "/schema")
    return choose(byPath[key], `/schemas_by_path/${escapePointerToken(key)}`)
  }
}
