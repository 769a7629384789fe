import type { DatasetMetadata } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { charsetOf } from "../text/charset.ts"
import { rowSchemasOf } from "../schemas/row-schemas.ts"
import type { SchemaRunner } from "./schema-pool.ts"

export interface CheckMetadataOptions {
  readonly schemas: SchemaRunner
  /** Path of the metadata in the request. Default: `body.metadata.dataset`. */
  readonly loc?: readonly (string | number)[] | undefined
  /** Number of characters or bytes in the rows that the same schemas will check, if it is known. */
  readonly characters?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks what the request schema can't check: that names are in `schema_defs`; that schemas are valid JSON Schema
 * (2020-12, or draft-07 if `$schema` says so), with references that need no network and patterns that run in linear
 * time; and that the keys of `schemas_by_path` can match a path.
 * @throws `invalid_request` with one issue per invalid key; `schema_too_costly`; the reason of `signal`
 */
export async function checkDatasetMetadata(
  metadata: DatasetMetadata,
  { schemas, loc = ["body", "metadata", "dataset"], characters, signal }: CheckMetadataOptions,
): Promise<void> {
  const { encoding } = metadata.csv ?? {}
  if (encoding !== undefined && charsetOf(encoding) === undefined) {
    const msg = `'${encoding}' is not an encoding that can be read; name one of the Encoding Standard, such as windows-1252 or shift_jis`
    const issue = { loc: [...loc, "csv", "encoding"], msg, type: "unknown_encoding", input: encoding }
    throw new AssayError("invalid_request", `${issue.loc.join(".")}: ${msg}`, { issues: [issue] })
  }
  if (metadata.schema === undefined && metadata.schema_defs === undefined && metadata.schemas_by_path === undefined)
    return
  const found = await schemas.run(rowSchemasOf(metadata), { kind: "metadata" }, { characters, signal })
  const issues = found.map((issue) => ({ ...issue, loc: [...loc, ...issue.loc] }))
  const [first] = issues
  if (first === undefined) return
  throw new AssayError("invalid_request", `${first.loc.join(".")}: ${first.msg}`, { issues })
}
