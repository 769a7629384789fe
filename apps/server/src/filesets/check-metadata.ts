import type { Registry } from "@assay/registry"
import type { Metadata } from "@assay/schemas"
import type { Caller } from "../auth/grant.ts"
import type { Schemas } from "../contents/create-schemas.ts"
import { loadContents } from "../contents/load-contents.ts"
import { openNamedFileset } from "../contents/open-named-fileset.ts"

export interface MetadataCheck {
  readonly registry: Registry
  readonly schemas: Schemas
  /** Of the fileset. */
  readonly workspace: string
  /** Whether the operator allows tool call plugins; where not, they are dropped later, and not looked for. */
  readonly allowPlugins: boolean
  readonly caller: Caller
  readonly signal: AbortSignal
}

/**
 * Checks what the schema of a request can't: row schemas and references to them, chat templates, plugins.
 * @throws `invalid_request` with an issue for each key that is at fault; `schema_too_costly`
 */
export async function checkMetadata(
  { dataset, model }: Metadata,
  { registry, schemas, workspace, allowPlugins, caller, signal }: MetadataCheck,
): Promise<void> {
  if (dataset === undefined && model === undefined) return
  const { checkDatasetMetadata, checkModelMetadata } = await loadContents()
  if (dataset !== undefined) await checkDatasetMetadata(dataset, { schemas: await schemas.of(workspace), signal })
  if (model === undefined) return
  const openFileset = openNamedFileset(registry, caller)
  // What is worth knowing though nothing is wrong is told by the analysis of the checkpoint.
  await checkModelMetadata(model, { allowPlugins, openFileset, signal })
}
