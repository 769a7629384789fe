import type { DatasetMetadata } from "@assay/schemas"
import { compareCodePoints } from "@assay/storage/paths"
import type { JsonSchema } from "./json-schema.ts"
import { compilePathGlob } from "./path-glob.ts"

/** A schema as the dataset metadata gives it for some path. */
export interface ChosenSchema {
  /** Its name in `schema_defs`, or where it is inline, as a JSON pointer into the dataset metadata. */
  readonly label: string
  readonly schema: JsonSchema
}

/**
 * Which schema is for which path: that of `schemas_by_path` whose key is the path itself, else the longest one of its
 * globs that match (of two as long, the first by code points), else `schema`.
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
    return choose(byPath[key], `/schemas_by_path/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`)
  }
}
