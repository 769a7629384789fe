import type { DatasetMetadata, ValidationIssue } from "@assay/schemas"
import { isAssayError, messageOf } from "@assay/schemas/errors"
import { isFilePath } from "@assay/storage"
import { compileRowSchema } from "./compile/compile-row-schema.ts"
import type { SchemaSyntax } from "./compile/create-ajv.ts"
import { DIALECT_ADDRESSES, dialectOf, type Dialect } from "./compile/dialect.ts"
import { escapePointerToken, type JsonSchema } from "./json-schema.ts"

type Loc = readonly (string | number)[]

/**
 * Lists the faults of the row schemas in dataset metadata: names that are not in `schema_defs`, schemas that can't be
 * compiled, and keys of `schemas_by_path` that can't match a path. Each `loc` is relative to the metadata.
 * @throws `schema_too_costly`
 */
export function listMetadataIssues(metadata: DatasetMetadata, syntax: SchemaSyntax): readonly ValidationIssue[] {
  const { schema, schema_defs: definitions = {}, schemas_by_path: byPath = {} } = metadata
  const isSound = compilesTogether(metadata, syntax)
  const check = (one: JsonSchema | string, loc: Loc) =>
    isSound && typeof one !== "string" ? [] : schemaIssues(one, { definitions, syntax }, loc)
  return [
    ...Object.entries(definitions).flatMap(([name, one]) => check(one, ["schema_defs", name])),
    ...(schema === undefined ? [] : check(schema, ["schema"])),
    ...Object.entries(byPath).flatMap(([key, one]) => [
      ...keyIssues(key, ["schemas_by_path", key]),
      ...check(one, ["schemas_by_path", key]),
    ]),
  ]
}

/**
 * Returns whether all schemas compile when they are compiled together, each once. Compiling them one by one would also
 * compile everything they refer to: a chain of references would cost the square of its length.
 */
function compilesTogether(
  { schema, schema_defs = {}, schemas_by_path = {} }: DatasetMetadata,
  syntax: SchemaSyntax,
): boolean {
  const inline = [schema, ...Object.values(schemas_by_path)].filter((one) => typeof one === "object")
  const unnamed = inline.map((one, index) => [freeName(`inline ${index}`, schema_defs), one] as const)
  const all = [...Object.entries(schema_defs), ...unnamed]
  try {
    const dialects = Map.groupBy(all, ([, one]) => dialectOf(one) ?? "2020-12")
    for (const [dialect, group] of dialects)
      compileGroup(dialect, group, { definitions: Object.fromEntries(all), syntax })
    return true
  } catch {
    return false
  }
}

interface Checking {
  readonly definitions: Readonly<Record<string, JsonSchema>>
  readonly syntax: SchemaSyntax
}

function compileGroup(
  dialect: Dialect,
  group: readonly (readonly [string, JsonSchema])[],
  { definitions, syntax }: Checking,
): void {
  const allOf = group.map(([name]) => ({ $ref: `#/schema_defs/${encodeURIComponent(escapePointerToken(name))}` }))
  const schema = { $schema: DIALECT_ADDRESSES[dialect], allOf }
  compileRowSchema(schema, definitions, { allErrors: false, syntax })
}

function freeName(wanted: string, taken: object): string {
  let name = wanted
  while (Object.hasOwn(taken, name)) name += "'"
  return name
}

function schemaIssues(
  schema: JsonSchema | string,
  { definitions, syntax }: Checking,
  loc: Loc,
): readonly ValidationIssue[] {
  if (typeof schema === "string") {
    if (Object.hasOwn(definitions, schema)) return []
    const msg = `names the schema '${schema}', which is not in schema_defs; define it there, or write the schema here`
    return [{ loc: [...loc], msg, type: "unknown_schema", input: schema }]
  }
  try {
    compileRowSchema(schema, definitions, { allErrors: false, syntax })
    return []
  } catch (error) {
    if (isAssayError(error)) throw error
    const msg = messageOf(error)
    return [{ loc: [...loc], msg, type: "invalid_schema" }]
  }
}

function keyIssues(key: string, loc: Loc): readonly ValidationIssue[] {
  if (isFilePath(key)) return []
  const msg = "is not a valid file path; write it relative, without empty segments, '.', '..' and backslashes"
  return [{ loc: [...loc], msg, type: "bad_path", input: key }]
}
