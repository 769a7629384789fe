export { formatCsv, type CsvCell } from "./formats/format-csv.ts"
export { formatJson, formatJsonLine } from "./formats/format-json.ts"
export { formatJunit, type JunitCase } from "./formats/format-junit.ts"
export { conditionCard } from "./html/condition-card.ts"
export { formatPage } from "./html/format-page.ts"
export { gateTable, verdictBadge } from "./html/gate-table.ts"
export { html, withCode, type Html } from "./html/html.ts"
export { COLOUR_STYLE, COMPONENT_STYLE } from "./html/page-style.ts"
export { histogramPlot } from "./plots/histogram-plot.ts"
export { formatArenaSummary } from "./arena/format-arena-summary.ts"
export { formatReleaseJunit } from "./release/format-release-junit.ts"
export { formatReleaseSummary } from "./release/format-release-summary.ts"
export { formatSummary } from "./markdown/format-summary.ts"
export type { Summary, SummaryRow } from "./markdown/summary.ts"
export { gateNotes, gateRule } from "./text/gate-notes.ts"
export { intervalPlot } from "./plots/interval-plot.ts"
export { ratePlot, type PlottedRate } from "./plots/rate-plot.ts"
export { formatLabelPage, LABEL_STYLE, labelCard } from "./plots/label-card.ts"
export { JUDGE_STYLE, judgeCard } from "./plots/judge-card.ts"
export { slicePlot } from "./plots/slice-plot.ts"
export { noiseSentence } from "./text/noise-sentence.ts"
export { intervalNote, scoreInterval } from "./text/score-interval.ts"
export { verdictWord } from "./text/verdict-word.ts"
export { sliceSentence } from "./text/slice-sentence.ts"
export { alignCells } from "./terminal/format-table.ts"
export { changedRowsText } from "./text/changed-rows.ts"
export { cutLine, cutText } from "./text/cut-text.ts"
export {
  formatBytes,
  formatCount,
  formatDuration,
  formatEqualScores,
  formatInteger,
  formatScore,
  formatShare,
} from "./text/format-number.ts"
export { estimatedRequests, estimateFacts, formatCost } from "./text/estimate-facts.ts"
export { labelEstimates, labelSentences, type LabelEstimate, type LabelFindings } from "./text/label-report.ts"
