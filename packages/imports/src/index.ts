export { type ExaminedResults, examineResults, type ExamineResultsOptions } from "./doctor/examine-results.ts"
export type { ResultQuestion } from "./doctor/result-question.ts"
export { importHarbor, type ImportedHarbor, type ImportHarborOptions } from "./harbor/import-harbor.ts"
export { importInspect, type ImportedLog, type ImportInspectOptions } from "./inspect/import-inspect.ts"
export { importLmEval, type ImportedTask, type ImportLmEvalOptions } from "./lm-eval/import-lm-eval.ts"
export type { ImportNote } from "./output/import-notes.ts"
export { type ImportedFile, writeImportedFiles } from "./output/imported-file.ts"
export {
  type ImportedEvaluation,
  importPromptfoo,
  type ImportPromptfooOptions,
  type ModelAddress,
} from "./promptfoo/import-promptfoo.ts"
export { importTraces, type ImportedTraces, type ImportTracesOptions } from "./traces/import-traces.ts"
