import type { Registry } from "@assay/registry"
import type { Metadata } from "@assay/schemas"
import type { Caller } from "../auth/grant.ts"
import type { Schemas } from "../contents/create-schemas.ts"
import { loadContents } from "../contents/load-contents.ts"
import { openNamedFileset } from "../contents/open-named-fileset.ts"

export interface MetadataCheck {
  readonly registry: Registry
  readonly schemas: Schemas
  /** The workspace of the fileset. */
  readonly workspace: string
  /** Whether the operator allows tool call plugins. If not, they are dropped later and not checked. */
  readonly allowPlugins: boolean
  readonly caller: Caller
  readonly signal: AbortSignal
}

/**
 * Checks the parts of metadata that a request schema can't check: row schemas and references to them, chat templates, plugins.
 * @throws `invalid_request` with an issue for each wrong key; `schema_too_costly`
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
  // Warnings are left to the analysis of the checkpoint.
  await checkModelMetadata(model, { allowPlugins, openFileset, signal })
}
