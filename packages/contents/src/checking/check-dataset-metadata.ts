import type { DatasetMetadata } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { rowSchemasOf } from "../schemas/row-schemas.ts"
import type { SchemaRunner } from "./schema-pool.ts"

export interface CheckMetadataOptions {
  readonly schemas: SchemaRunner
  /** Where the metadata stands in the request. Default: in the metadata of a body. */
  readonly loc?: readonly (string | number)[]
  /** Characters or bytes of the rows that are to be checked with the same schemas, if that is known. */
  readonly characters?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks what the schema of a request can't: that names are in `schema_defs`, that schemas are JSON Schema (2020-12, or
 * draft-07 where `$schema` says so) whose references and patterns can be followed without a network and in linear time,
 * and that keys of `schemas_by_path` can match a path.
 * @throws `invalid_request` with an issue for each key that is at fault; `schema_too_costly`; the reason of `signal`
 */
export async function checkDatasetMetadata(
  metadata: DatasetMetadata,
  { schemas, loc = ["body", "metadata", "dataset"], characters, signal }: CheckMetadataOptions,
): Promise<void> {
  if (metadata.schema === undefined && metadata.schema_defs === undefined && metadata.schemas_by_path === undefined)
    return
  const found = await schemas.run(rowSchemasOf(metadata), { kind: "metadata" }, { characters, signal })
  const issues = found.map((issue) => ({ ...issue, loc: [...loc, ...issue.loc] }))
  const [first] = issues
  if (first === undefined) return
  throw new AssayError("invalid_request", `${first.loc.join(".")}: ${first.msg}`, { issues })
}
