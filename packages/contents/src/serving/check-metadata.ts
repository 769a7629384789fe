import type { Metadata } from "@assay/schemas"
import type { OpenFileset } from "../models/tool-calling/resolve-tool-calling.ts"
import type { Schemas } from "./workspace-schemas.ts"

export interface FilesetMetadataOptions {
  /** The workspace of the fileset. */
  readonly workspace: string
  readonly schemas: Schemas
  /** Whether the operator allows tool call plugins. Others are dropped later, without being checked. */
  readonly allowPlugins: boolean
  readonly openFileset: OpenFileset
  readonly signal: AbortSignal
}

/**
 * Checks the parts of metadata that a request schema can't check: row schemas and references to them, chat templates, plugins.
 * Its warnings come from the analysis of a model.
 * @throws `invalid_request` with an issue for each wrong key; `schema_too_costly`
 */
export async function checkFilesetMetadata(
  { dataset, model }: Metadata,
  options: FilesetMetadataOptions,
): Promise<void> {
  const { workspace, schemas, allowPlugins, openFileset, signal } = options
  if (dataset !== undefined) {
    const { checkDatasetMetadata } = await import("../checking/check-dataset-metadata.ts")
    await checkDatasetMetadata(dataset, { schemas: await schemas.of(workspace), signal })
  }
  if (model === undefined) return
  const { checkModelMetadata } = await import("../models/check-model-metadata.ts")
  await checkModelMetadata(model, { allowPlugins, openFileset, signal })
}
