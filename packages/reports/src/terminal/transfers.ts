export { formatTransferProgress, type TransferProgress } from "./transfers/transfer-progress.ts"
export {
  createTransferReporter,
  type TransferReporter,
  type TransferReporterOptions,
} from "./transfers/transfer-reporter.ts"
export { formatTransferSummary, type TransferSummary } from "./transfers/transfer-summary.ts"
