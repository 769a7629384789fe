export { formatJson, formatJsonLine } from "./formats/format-json.ts"
export { formatRecord, formatTable, type Layout } from "./terminal/format-table.ts"
export { createProgressLine } from "./terminal/progress-line.ts"
export { paint, tone, toneOf } from "./terminal/tone.ts"
export { formatTime } from "./text/format-time.ts"
export { cutLine } from "./text/cut-text.ts"
export { formatBytes, formatCount, formatDuration, formatInteger, formatScore } from "./text/format-number.ts"
export { formatBudget } from "./terminal/budget.ts"
export { formatComparedRows, formatComparedRowsCsv } from "./terminal/evaluations/compared-rows.ts"
export { formatComparison } from "./terminal/evaluations/comparison.ts"
export { formatConditions } from "./terminal/evaluations/conditions.ts"
export { formatEstimate } from "./terminal/evaluations/estimate.ts"
export { formatJudge } from "./terminal/evaluations/judges.ts"
export {
  formatCorrections,
  formatLabelQuestion,
  formatLabelQueue,
  formatPairQueue,
  formatLabelReport,
  formatLabels,
  formatLabelsCsv,
  formatRowToLabel,
} from "./terminal/evaluations/labels.ts"
export { formatExplanation, formatOutcome } from "./terminal/evaluations/outcome.ts"
export { createProgressReporter, type ProgressReporter } from "./terminal/evaluations/progress-reporter.ts"
export { formatRowAttempts } from "./terminal/evaluations/row-attempts.ts"
export { formatScoredRows, formatScoredRowsCsv } from "./terminal/evaluations/scored-rows.ts"
export { formatGates, formatScores } from "./terminal/evaluations/scores.ts"
export { formatSlices } from "./terminal/evaluations/slices.ts"
export { formatArena } from "./arena/format-arena.ts"
export { formatRelease } from "./release/format-release.ts"
export { formatJobs } from "./terminal/job-table.ts"
export {
  formatAudit,
  formatFilesets,
  formatTrash,
  formatSecrets,
  formatTokens,
  formatUnreadableSecrets,
  formatWorkspaces,
  type ShownToken,
} from "./terminal/listings.ts"
export { formatModelSpec } from "./terminal/model-spec.ts"
export { formatRowFault, formatRowLocation } from "./terminal/rows/row-fault.ts"
export { formatRowProfile } from "./terminal/rows/row-profile.ts"
export { formatRowReport } from "./terminal/rows/row-report.ts"
export { formatRowsProgress, type RowsProgress } from "./terminal/rows/rows-progress.ts"
export { formatBackup, formatRestore, restoreHints } from "./terminal/stored-data/backup.ts"
export { formatDiff, formatHistory, formatRestored } from "./terminal/stored-data/history.ts"
export { formatSignature, type SignatureReport } from "./terminal/stored-data/signature.ts"
export { formatRowDiffs } from "./terminal/stored-data/row-diff.ts"
export {
  type DamagedFile,
  formatDatabaseDamage,
  formatFilesCheck,
  formatLostSecrets,
} from "./terminal/stored-data/integrity.ts"
export { formatTransferProgress } from "./terminal/transfers/transfer-progress.ts"
export { createTransferReporter } from "./terminal/transfers/transfer-reporter.ts"
export { formatTransferSummary } from "./terminal/transfers/transfer-summary.ts"
