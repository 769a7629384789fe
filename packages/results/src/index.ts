export { type ArchiveFile, streamArchive } from "./archive/stream-archive.ts"
export { compareJobs } from "./compare/compare-jobs.ts"
export { type CompareThreads, createCompareThreads, type StoredSide } from "./compare/compare-threads.ts"
export type { JobToCompare } from "./compare/job-to-compare.ts"
export { readReferences } from "./compare/read-references.ts"
export { keepFault } from "./conditions/answer-tally.ts"
export { type ConditionFinder, createConditionFinder, joinConditions } from "./conditions/create-condition-finder.ts"
export { explainJob } from "./conditions/explain-job.ts"
export { findInError } from "./conditions/find-in-error.ts"
export { classifyStorageError } from "./conditions/storage-finding.ts"
export { formatJobJunit, type JobJunitInput } from "./files/format-job-junit.ts"
export { formatLogEntry } from "./files/format-logs.ts"
export type { OpenBaseline } from "./gates/gate-references.ts"
export { describeAllAsked, describeEarlyStop, gateStates } from "./gates/gate-states.ts"
export { createGateWatch, type GateBasis, type GateWatch } from "./gates/gate-watch.ts"
export { planGates, type PlannedGate } from "./gates/plan-gates.ts"
export { openRowOrder, orderSeed, type RowOrder } from "./gates/row-order.ts"
export { shuffleRows } from "./gates/shuffle-rows.ts"
export { findGuardrailConditions, gatesOfReport } from "./guardrail-reports.ts"
export { correctScores, type NamedLabels, type ReadLabels } from "./labels/correct-scores.ts"
export { judgeAdvice } from "./labels/judge-advice.ts"
export { type LabelDesk, type LabelStore, openLabelDesk, type QueueOptions } from "./labels/label-desk.ts"
export { openLabelFile } from "./labels/label-file.ts"
export { type LabelLocation, labelLocationOf, openLabelFileset } from "./labels/label-fileset.ts"
export { formatScale, isOnScale, parseLabel } from "./labels/label-question.ts"
export { parseLabelRows } from "./labels/label-rows.ts"
export { formatLabelSheet, parseLabelSheet } from "./labels/label-sheet.ts"
export { readLabelText } from "./labels/label-text.ts"
export { labelledMetrics, locationOfLabels } from "./labels/labelled-metrics.ts"
export {
  describeProgress,
  type JobLogLine,
  type JobProgress,
  NO_PROGRESS,
  type RunOutcome,
  type TaskStatus,
} from "./progress/job-progress.ts"
export {
  endOfError,
  nothingScored,
  type PlanEnd,
  type PlanOutcome,
  type ScoreSummary,
  type TalliedSlices,
  type TaskSummary,
} from "./progress/plan-outcome.ts"
export {
  addTokens,
  costOfSums,
  countedTokens,
  NO_TOKENS,
  tokensOf,
  type TokenSums,
  uncountableLimit,
} from "./progress/token-sums.ts"
export type { ResultsInput, ResultsSink, TimedLogLine } from "./results-input.ts"
export { copiedRows, copyRows } from "./row-index/copy-rows.ts"
export { openIndexFolder } from "./row-index/index-folder.ts"
export { rowsGone } from "./row-index/read-rows.ts"
export { createJobRows, type DrawnLabels, type IndexedPair, type JobRows } from "./row-index/job-rows.ts"
export { fileJournalSource, type RowLines, sourceRows, tableJournalSource } from "./row-index/journal-source.ts"
export type { IssuedDraw, RowDraw } from "./row-index/labels/draw-rows.ts"
export type { JudgedScores, LabelledDigests } from "./row-index/labels/judged-scores.ts"
export { createRowTables, type RowKey } from "./row-index/open-tables.ts"
export type { PairSort } from "./row-index/selection/compare-rows.ts"
export type { RowsSoFar } from "./row-index/selection/summarize-rows.ts"
export type { LineRange } from "./row-index/table/row-table.ts"
export { readRows, type RowsReader } from "./rows/read-rows.ts"
export { createRowGroups } from "./rows/row-groups.ts"
export { createRowValues, type RowValues } from "./rows/row-values.ts"
export { buildResult } from "./scores/build-result.ts"
export { checkGates, CORRECTED, type GateOutcome, type ScoreGate } from "./scores/check-gates.ts"
export { findScore, isAmount, listScores } from "./scores/list-scores.ts"
export { worstSlice } from "./scores/worst-slice.ts"
export { writeResults } from "./write-results.ts"
