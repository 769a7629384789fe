export { formatComparedRows, formatComparedRowsCsv } from "./evaluations/compared-rows.ts"
export { formatComparison } from "./evaluations/comparison.ts"
export { formatConditions, type ShownCondition } from "./evaluations/conditions.ts"
export { formatExplanation, formatOutcome, type Outcome } from "./evaluations/outcome.ts"
export { createProgressReporter, type ProgressReporter } from "./evaluations/progress-reporter.ts"
export type { ShownProgress } from "./evaluations/evaluation-progress.ts"
export {
  formatCorrections,
  formatLabelQueue,
  formatLabelReport,
  formatLabels,
  formatLabelsCsv,
  formatLabelQuestion,
  formatRowToLabel,
} from "./evaluations/labels.ts"
export { formatRowAttempts } from "./evaluations/row-attempts.ts"
export { formatScoredRows, formatScoredRowsCsv } from "./evaluations/scored-rows.ts"
export { formatGates, formatScores, type ShownGate, type ShownScore } from "./evaluations/scores.ts"
export { formatSlices } from "./evaluations/slices.ts"
export { formatEstimate } from "./evaluations/estimate.ts"
