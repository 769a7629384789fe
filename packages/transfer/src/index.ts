export {
  copyFiles,
  type CopyListener,
  type CopyOptions,
  type CopyResult,
  type FileSelection,
} from "./copy-files.ts"
export { formatFileAddress, type FileAddress } from "./file-address.ts"
export type { CheckRows } from "./fileset/fileset-side.ts"
export type { Place } from "./places/place.ts"
export type { SkippedEntry, SkipReason, TransferFile, TransferSide } from "./sides/transfer-side.ts"
export type { FailedFile, InvalidRow, TransferReport, TroubleListener } from "./sync/transfer-report.ts"
export type { TransferAction, TransferListener } from "./sync/transfer.ts"
