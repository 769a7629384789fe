import { formatBytes, formatCount, formatDuration } from "../../text/format-number.ts"

/** Progress of reading rows. */
export interface RowsProgress {
  /** Absent if rows are not counted while reading. */
  readonly rows?: number
  /** Size of all files as they are stored. */
  readonly bytes: number
  readonly bytesDone: number
}

/** Formats progress: `1,200,000 rows  34.1 MiB of 1.2 GiB  45.0 MiB/s  26 s left` */
export function formatRowsProgress({ rows, bytes, bytesDone }: RowsProgress, elapsed: number): string {
  const rate = elapsed > 0 ? (bytesDone / elapsed) * 1000 : 0
  const left = bytesDone > 0 ? [`${formatDuration((elapsed / bytesDone) * (bytes - bytesDone))} left`] : []
  return [
    ...(rows === undefined ? [] : [formatCount(rows, "row")]),
    `${formatBytes(bytesDone)} of ${formatBytes(bytes)}`,
    `${formatBytes(Math.round(rate))}/s`,
    ...left,
  ].join("  ")
}
