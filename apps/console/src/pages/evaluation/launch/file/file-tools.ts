// Everything that knows the form of evaluation files: YAML, their schemas, and what they mean. It is three quarters of the scripts of a page
// that edits one, so that the page shows its fields first and loads this module then.
export { evaluationFileSchema } from "@assay/evaluation-files"
export { completeFile } from "./completion/complete-file.ts"
export { editFile } from "./edit-file.ts"
export { readLaunchFile } from "./read-launch-file.ts"
export { fileOfJob } from "./shorten-job.ts"
