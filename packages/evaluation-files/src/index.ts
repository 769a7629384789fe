export { arenaFileSchema } from "./arena/arena-file-schema.ts"
export { type ArenaContestant, type OpenedArena, readArenaFile } from "./arena/read-arena-file.ts"
export { type EvaluationContent, launchOfContent } from "./evaluation-content.ts"
export { evaluationFileSchema } from "./evaluation-file-schema.ts"
export { gateTexts } from "./gate-text.ts"
export { withGates, withGatesInJob } from "./gates-of-content.ts"
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
export type { Columns } from "./draft/columns.ts"
export { evaluationDrafts } from "./draft/evaluation-drafts.ts"
export type { EvaluationDraft } from "./draft/format-evaluation.ts"
export type { Proposal } from "./draft/propose-columns.ts"
export { MODEL_PROVIDERS } from "./model-providers.ts"
export type { NamedModel } from "./draft/read-model.ts"
