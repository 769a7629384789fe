export { builtInConfigurations, type BuiltInConfiguration } from "./built-in/built-in-configurations.ts"
export { checkGuardrailData } from "./configuration/check-guardrail-data.ts"
export { effectiveData } from "./configuration/effective-data.ts"
export { effectiveModel } from "./configuration/effective-data.ts"
export { withModels } from "./configuration/with-models.ts"
export type { GuardedCompletion, GuardOptions, Guardrail, GuardrailContext, RailSelection } from "./guardrail.ts"
export type { CheckedPrompt, CheckedRail, JudgeAnswer, JudgeOptions, PromptToCheck } from "./judge.ts"
export { openGuardrail } from "./rails/open-guardrail.ts"
export { categoryOf } from "./verdicts/categories/categories.ts"
export { equivalentCategories } from "./verdicts/categories/categories.ts"
export { familyOf } from "./verdicts/families/family-of.ts"
export { formatVerdict } from "./verdicts/families/family-forms.ts"
export { parseVerdict } from "./verdicts/parse-verdict.ts"
export { readingForPlace } from "./verdict-reading.ts"
export type { JudgeMessage, ParseVerdictOptions, RailPlace, VerdictReading } from "./verdict-reading.ts"
export { candidateOf, type CalibrationCandidate, type CandidateOptions } from "./calibration/asking/candidate.ts"
export { reduceCheck, type JudgedPrompt } from "./calibration/asking/judged-prompt.ts"
export {
  permanentFailure,
  runCalibration,
  type CalibrationOptions,
  type CalibrationProgress,
  type CalibrationRun,
} from "./calibration/asking/run-calibration.ts"
export { calibrate, type CalibrateOptions, type Calibration } from "./calibration/calibrate.ts"
export { tallyJudgements, type Judgement, type TallyOptions } from "./calibration/counting/tally-judgements.ts"
export type { JudgedExample } from "./calibration/counting/judge-tally.ts"
export type { CalibrationJournal } from "./calibration/journal/calibration-journal.ts"
export { openFileJournal } from "./calibration/journal/calibration-journal.ts"
export { formatReportHtml } from "./calibration/output/html/format-report-html.ts"
export { formatReportJunit } from "./calibration/output/format-report-junit.ts"
export { formatReportText } from "./calibration/output/format-report-text.ts"
export { exampleSetPath } from "./calibration/prompts/labelled-prompt.ts"
export { parseLabelledPrompt, type LabelledPrompt, type PromptLabel } from "./calibration/prompts/labelled-prompt.ts"
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
} from "./calibration/report/calibration-report.ts"
export type { CalibrationLimits } from "./calibration/report/check-gates.ts"
export { reportCalibration, type CalibrationReportOptions } from "./calibration/report/report-calibration.ts"
export { certifiedCandidate } from "./certificates/certified-candidate.ts"
export { askAgain, type AskedAgain } from "./certificates/ask-again.ts"
export { formatCertificateHtml } from "./certificates/format-certificate-html.ts"
export {
  formatAskedAgain,
  formatCertificate,
  formatWithoutThresholds,
  verdictSentence,
} from "./certificates/format-certificate.ts"
export { optimizeJudges, type OptimizeOptions } from "./certificates/optimize-judges.ts"
export {
  verifyCertificate,
  type CertificateEvidence,
  type CertificateFault,
} from "./certificates/verify-certificate.ts"
export type { CertifiableCandidate } from "./certificates/certifiable-candidate.ts"
export { guardCandidates, THRESHOLDS, type ConfiguredCandidate } from "./certificates/candidates/guard-candidates.ts"
export { editPrompt, type WrittenCandidate } from "./certificates/candidates/edit-prompt.ts"
export { withPrompt } from "./certificates/candidates/with-prompt.ts"
export {
  proposalDigest,
  proposedCandidates,
  proposePrompts,
  type ProposalInputs,
  type Proposals,
  type ProposeOptions,
} from "./certificates/proposals/propose-prompts.ts"
export {
  digestRows,
  findTuningFaults,
  type TuningFaultOptions,
  type TuningFaults,
} from "./certificates/proposals/tuning-faults.ts"
export { type JudgeEndpoint, withEndpoint } from "./local/endpoint-models.ts"
export { formatCalibrationProgress } from "./local/format-calibration-progress.ts"
export { formatCheck, recordOfCheck } from "./local/format-check.ts"
export { inOrder } from "./local/in-order.ts"
export { type JudgeKeys, type LocalGuardOptions, openLocalGuard } from "./local/open-local-guard.ts"
export { openPromptWriter, type PromptWriter, type PromptWriterOptions } from "./local/open-prompt-writer.ts"
export { openServedGuard, type ServedGuardOptions, type ServedGuardrails } from "./local/open-served-guard.ts"
export type { AskOptions, OpenedGuard } from "./local/opened-guard.ts"
export { type LabelledRowsOptions, parseLabelledRows } from "./local/parse-labelled-rows.ts"
export { messageWith, parseMessageLines } from "./local/parse-message-lines.ts"
export { type GuardrailFiles, readGuardrailFile } from "./local/read-guardrail-file.ts"
export {
  type AcquiredGuardrail,
  createGuardrailService,
  type GuardrailService,
  type GuardrailServiceContext,
} from "./serving/guardrail-service.ts"
