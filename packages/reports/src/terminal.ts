export { formatJson, formatJsonLine } from "./formats/format-json.ts"
export { formatRecord, formatTable, type Layout } from "./terminal/format-table.ts"
export { createProgressLine } from "./terminal/progress-line.ts"
export { paint, tone, toneOf } from "./terminal/tone.ts"
export { formatTime } from "./text/format-time.ts"
export { cutLine } from "./text/cut-text.ts"
export { formatBytes, formatCount, formatDuration, formatInteger, formatScore } from "./text/format-number.ts"
export { formatBudget } from "./terminal/format-budget.ts"
export { formatComparedRows, formatComparedRowsCsv } from "./terminal/evaluations/format-compared-rows.ts"
export { formatComparison } from "./terminal/evaluations/format-comparison.ts"
export { formatConditions } from "./terminal/evaluations/format-conditions.ts"
export { formatEstimate } from "./terminal/evaluations/format-estimate.ts"
export { formatJudge } from "./terminal/evaluations/format-judge.ts"
export {
  formatCorrections,
  formatLabelQuestion,
  formatLabelQueue,
  formatPairQueue,
  formatLabelReport,
  formatLabels,
  formatLabelsCsv,
  formatRowToLabel,
} from "./terminal/evaluations/format-labels.ts"
export { formatExplanation, formatOutcome } from "./terminal/evaluations/format-outcome.ts"
export { createProgressReporter, type ProgressReporter } from "./terminal/evaluations/progress-reporter.ts"
export { formatRowAttempts } from "./terminal/evaluations/format-row-attempts.ts"
export { formatScoredRows, formatScoredRowsCsv } from "./terminal/evaluations/format-scored-rows.ts"
export { formatGates, formatScores } from "./terminal/evaluations/format-scores.ts"
export { formatSlices } from "./terminal/evaluations/format-slices.ts"
export { formatArena } from "./arena/format-arena.ts"
export { formatRelease } from "./release/format-release.ts"
export { formatJobs, jobTitle } from "./terminal/format-jobs.ts"
export { formatJobStatus } from "./terminal/format-job-status.ts"
export { describeIds, formatRunStatus, type RunStatus } from "./terminal/format-run-status.ts"
export {
  formatAudit,
  formatFilesets,
  formatTrash,
  formatSecrets,
  formatTokens,
  formatUnreadableSecrets,
  formatWorkspaces,
  type ShownToken,
} from "./terminal/format-listings.ts"
export { formatModelSpec } from "./terminal/format-model-spec.ts"
export { formatRowFault, formatRowLocation } from "./terminal/rows/format-row-fault.ts"
export { formatRowProfile } from "./terminal/rows/format-row-profile.ts"
export { formatRowReport } from "./terminal/rows/format-row-report.ts"
export { formatRowsProgress, type RowsProgress } from "./terminal/rows/format-rows-progress.ts"
export { formatBackup, formatRestore, restoreHints } from "./terminal/stored-data/format-backup.ts"
export { formatDiff, formatHistory, formatRestored } from "./terminal/stored-data/format-history.ts"
export { formatSignature, type SignatureReport } from "./terminal/stored-data/format-signature.ts"
export { formatRowDiffs } from "./terminal/stored-data/format-row-diff.ts"
export {
  type DamagedFile,
  formatDatabaseDamage,
  formatFilesCheck,
  formatLostSecrets,
} from "./terminal/stored-data/format-damage.ts"
export { formatTransferProgress } from "./terminal/transfers/format-transfer-progress.ts"
export { createTransferReporter } from "./terminal/transfers/transfer-reporter.ts"
export { formatTransferSummary } from "./terminal/transfers/format-transfer-summary.ts"
