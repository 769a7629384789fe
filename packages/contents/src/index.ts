export { inferSchema, type InferSchemaOptions } from "./infer/infer-schema.ts"
export {
  analyzeCheckpoint,
  type AnalyzeCheckpointOptions,
  type CheckpointAnalysis,
} from "./models/analyze-checkpoint.ts"
export { analyzeModel, type AnalyzeModelOptions, type ModelAnalysisOutcome } from "./models/analyze-model.ts"
export { checkModelMetadata, type ModelMetadataOptions } from "./models/check-model-metadata.ts"
export type { ReadingCost } from "./models/files/checkpoint-reader.ts"
export type { OpenFileset } from "./models/tools/find-plugin.ts"
export { createMemoryRowIndexStore } from "./page/create-memory-row-index-store.ts"
export { readRowsPage, type RowsPageOptions } from "./page/read-rows-page.ts"
export type { RowIndex, RowIndexStore } from "./page/row-index.ts"
export { profileRows, type ProfileRowsOptions } from "./profile/profile-rows.ts"
export { openRows, type OpenRowsOptions } from "./rows/open-rows.ts"
export { rowFormatOf, type RowCompression, type RowEncoding, type RowFormat } from "./rows/row-format.ts"
export type { RowHead } from "./rows/row-head.ts"
export type { ReadableRow, Row, RowPlace, UnreadableRow } from "./rows/row.ts"
export { compileRowSchema, type CompileOptions } from "./schemas/compile-row-schema.ts"
export { checkDatasetMetadata } from "./schemas/check-dataset-metadata.ts"
export type { JsonSchema } from "./schemas/json-schema.ts"
export { checkUploadRows, type UploadRowsOptions } from "./upload/check-upload-rows.ts"
export { validateRows, type ValidateProgress, type ValidateRowsOptions } from "./validate/validate-rows.ts"
