import type { DatasetMetadata, ValidationIssue } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { isFilePath } from "@assay/storage/paths"
import { compileRowSchema } from "./compile-row-schema.ts"
import type { JsonSchema } from "./json-schema.ts"

type Loc = readonly (string | number)[]

/**
 * Checks what the schema of a request can't: that names are in `schema_defs`, that schemas are JSON Schema (2020-12, or
 * draft-07 where `$schema` says so) whose references and patterns can be followed without a network and in linear time,
 * and that keys of `schemas_by_path` can match a path. `loc` says where the metadata stands in the request.
 * @throws `invalid_request` with an issue for each key that is at fault
 */
export function checkDatasetMetadata(metadata: DatasetMetadata, loc: Loc = ["body", "metadata", "dataset"]): void {
  const { schema, schema_defs: definitions = {}, schemas_by_path: byPath = {} } = metadata
  const issues = [
    ...Object.entries(definitions).flatMap(([name, one]) =>
      schemaIssues(one, definitions, [...loc, "schema_defs", name]),
    ),
    ...(schema === undefined ? [] : schemaIssues(schema, definitions, [...loc, "schema"])),
    ...Object.entries(byPath).flatMap(([key, one]) => [
      ...keyIssues(key, [...loc, "schemas_by_path", key]),
      ...schemaIssues(one, definitions, [...loc, "schemas_by_path", key]),
    ]),
  ]
  const [first] = issues
  if (first === undefined) return
  throw new AssayError("invalid_request", `${first.loc.join(".")}: ${first.msg}`, { issues })
}

function schemaIssues(
  schema: JsonSchema | string,
  definitions: Readonly<Record<string, JsonSchema>>,
  loc: Loc,
): readonly ValidationIssue[] {
  if (typeof schema === "string") {
    if (Object.hasOwn(definitions, schema)) return []
    const msg = `names the schema '${schema}', which is not in schema_defs; define it there, or write the schema here`
    return [{ loc: [...loc], msg, type: "unknown_schema", input: schema }]
  }
  try {
    compileRowSchema(schema, definitions, { allErrors: false, isChecked: false })
    return []
  } catch (error) {
    const msg = error instanceof Error ? error.message : "can't be compiled"
    return [{ loc: [...loc], msg, type: "invalid_schema" }]
  }
}

function keyIssues(key: string, loc: Loc): readonly ValidationIssue[] {
  if (isFilePath(key)) return []
  const msg = "is no path of a file; write it relative, without empty segments, '.', '..' and backslashes"
  return [{ loc: [...loc], msg, type: "bad_path", input: key }]
}
