export { builtInConfigurations, type BuiltInConfiguration } from "./built-in/built-in-configurations.ts"
export { checkGuardrailData } from "./configuration/check-guardrail-data.ts"
export { effectiveData, withMain } from "./configuration/effective-data.ts"
export { effectiveModel } from "./configuration/effective-data.ts"
export { withAskedModel } from "./configuration/with-models.ts"
export { withModels } from "./configuration/with-models.ts"
export type { GuardedCompletion, GuardOptions, Guardrail, GuardrailContext, RailSelection } from "./guardrail.ts"
export type { CheckedPrompt, CheckedRail, JudgeAnswer, JudgeOptions, PromptToCheck } from "./judge.ts"
export { openGuardrail } from "./rails/open-guardrail.ts"
export { categoryOf } from "./verdicts/categories/category-of.ts"
export { equivalentCategories } from "./verdicts/categories/category-of.ts"
export { familyOf } from "./verdicts/families/family-of.ts"
export { formatVerdict } from "./verdicts/families/family-forms.ts"
export { parseVerdict } from "./verdicts/parse-verdict.ts"
export { readingForPlace } from "./verdict-reading.ts"
export type { JudgeMessage, ParseVerdictOptions, RailPlace, VerdictReading } from "./verdict-reading.ts"
export type { CalibrationCandidate } from "./calibration/calibration-candidate.ts"
export type { CalibrationJournal } from "./calibration/calibration-journal.ts"
export type {
  CalibrationCondition,
  CalibrationGate,
  CalibrationReport,
  JudgeComparison,
  JudgeRates,
  JudgeReport,
  OperatingPoint,
  Rate,
  Recommendation,
  RocReport,
} from "./calibration/calibration-report.ts"
export { candidateOf, type CandidateOptions } from "./calibration/candidate-of.ts"
export type { CalibrationLimits } from "./calibration/check-gates.ts"
export { exampleSetPath } from "./calibration/example-set-path.ts"
export { formatReportHtml } from "./calibration/format-report-html.ts"
export { formatReportJson } from "./calibration/format-report-json.ts"
export { formatReportJunit } from "./calibration/format-report-junit.ts"
export { formatReportText } from "./calibration/format-report-text.ts"
export { html, type Html } from "./calibration/html/html.ts"
export { PAGE_STYLE } from "./calibration/html/page-style.ts"
export { withCode } from "./calibration/html/with-code.ts"
export type { JudgedPrompt } from "./calibration/judged-prompt.ts"
export type { JudgedExample } from "./calibration/judge-tally.ts"
export type { LabelledPrompt, PromptLabel } from "./calibration/labelled-prompt.ts"
export { openFileJournal } from "./calibration/open-file-journal.ts"
export { parseLabelledPrompt } from "./calibration/parse-labelled-prompt.ts"
export { reduceCheck } from "./calibration/reduce-check.ts"
export { reportCalibration, type CalibrationReportOptions } from "./calibration/report-calibration.ts"
export {
  runCalibration,
  type CalibrationOptions,
  type CalibrationProgress,
  type CalibrationRun,
} from "./calibration/run-calibration.ts"
export { xml } from "./calibration/xml.ts"
export { createGuardrailPool, type GuardrailLease, type GuardrailPool } from "./requests/guardrail-pool.ts"
export { configurationIdOf, railsOf, requestWarnings } from "./requests/request-options.ts"
