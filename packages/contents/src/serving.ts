// What a server creates at its start. The code that reads contents is loaded with the first request that needs it.
export { createAnalyses, type Analyses, type CallerFilesets, type RecordedAnalysis } from "./serving/analyses.ts"
export { createChatTemplates, type ChatTemplates } from "./serving/chat-templates.ts"
export { checkFilesetMetadata } from "./serving/check-metadata.ts"
export { openRowEnforcement, type EnforceRows } from "./serving/row-enforcement.ts"
export { createRowReader, type RowReader } from "./serving/row-reader.ts"
export { createSchemas, type SchemaLimits, type Schemas } from "./serving/workspace-schemas.ts"
