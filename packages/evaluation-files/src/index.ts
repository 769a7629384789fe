export { arenaFileSchema } from "./arena/arena-file-schema.ts"
export { type ArenaContestant, type OpenedArena, readArenaFile } from "./arena/read-arena-file.ts"
export { type EvaluationContent, launchOfContent } from "./evaluation-content.ts"
export { evaluationFileSchema } from "./evaluation-file-schema.ts"
export { gateTexts } from "./gate-text.ts"
export { withGatesInJob } from "./gates-of-content.ts"
export { MAX_PROGRAM_FILES, programFiles } from "./program-files.ts"
export { promptFiles, readEvaluationCells } from "./read-evaluation-cells.ts"
export {
  type OpenedPolicy,
  type PolicyComparison,
  type PolicyEvaluation,
  type PolicyGate,
  type PolicyLimit,
  readReleasePolicy,
} from "./release/read-release-policy.ts"
export { releasePolicySchema } from "./release/release-policy-schema.ts"
export { isPromptFile } from "./short/short-prompt.ts"
export { checkPrompt, checkTemplate, checkTemplatesIn, readColumn } from "./draft/check-draft.ts"
export type { Columns } from "./draft/columns.ts"
export { EXAMPLE_NAME, EXAMPLE_ROWS, exampleColumns } from "./draft/example-rows.ts"
export { checkWritten, type EvaluationDraft, formatEvaluationFile } from "./draft/format-evaluation.ts"
export { checkOf, type Proposal, proposeColumns, templateOf } from "./draft/propose-columns.ts"
export { isVariable, type NamedModel, readKey, readModel } from "./draft/read-model.ts"
