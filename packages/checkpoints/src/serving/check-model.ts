import type { ModelMetadata } from "@assay/schemas"
import type { ModelMetadataOptions } from "../check-model-metadata.ts"

/** Checks the metadata of a model as `checkModelMetadata` does. Its warnings come from the analysis of the model. */
export async function checkModel(metadata: ModelMetadata, options: ModelMetadataOptions): Promise<void> {
  const { checkModelMetadata } = await import("../check-model-metadata.ts")
  await checkModelMetadata(metadata, options)
}
