import { formatBytes, formatCount, formatDuration, formatInteger } from "../../text/format-number.ts"

/** A transfer that has ended. */
export interface TransferSummary {
  /** Such as `pushed`; `where` is such as `to default/reviews`. */
  readonly verb: string
  readonly where: string
  readonly report: TransferCounts
  /** Whether files may be deleted. */
  readonly deletes: boolean
  readonly dryRun: boolean
  readonly milliseconds: number
}

interface TransferCounts {
  readonly files: number
  readonly bytes: number
  readonly unchanged: number
  readonly deleted: number
  /** Files that were not deleted, because others could not be moved. Default: none. */
  readonly not_deleted?: number
  /** Numbers of skipped files by reason. */
  readonly skipped_counts: Readonly<Record<string, number>>
  readonly failed_count: number
}

/** Formats a transfer: `pushed 120 files (34.1 MiB) to default/reviews, 10 unchanged, in 1.2 s`. */
export function formatTransferSummary({ verb, where, report, deletes, dryRun, milliseconds }: TransferSummary): string {
  const { files, bytes, unchanged, deleted, not_deleted = 0, skipped_counts, failed_count } = report
  return [
    `${verb} ${formatCount(files, "file")} (${formatBytes(bytes)}) ${where}`,
    ...(unchanged === 0 ? [] : [`${formatInteger(unchanged)} unchanged`]),
    ...(deletes ? [`${formatInteger(deleted)} deleted`] : []),
    ...(not_deleted === 0 ? [] : [`${formatInteger(not_deleted)} not deleted, because not all files could be moved`]),
    ...Object.entries(skipped_counts).map(([reason, count]) => `${count} skipped (${reason})`),
    ...(failed_count === 0 ? [] : [`${formatInteger(failed_count)} ${dryRun ? "refused" : "failed"}`]),
    `in ${formatDuration(milliseconds)}`,
  ].join(", ")
}
