/** A call that changed the disk, or waited for it, as `disk.c` writes it. */
export interface LogEntry {
  readonly kind: string
  readonly inode: string
  readonly offset: number
  readonly size: number
  /** When the file was changed last, in seconds since 1970 with nanoseconds, as text. */
  readonly changed: string
  /** Of a sync: the number of entries before it began. Only those are on the disk after it. */
  readonly mark: number
  readonly path: string
  /** The second name of a link or rename. */
  readonly other: string
  readonly bytes: Uint8Array
}

const NEWLINE = 10

/** Parses the log of a run. */
export function parseLog(log: Buffer): readonly LogEntry[] {
  const entries: LogEntry[] = []
  let at = 0
  const line = (): string => {
    const end = log.indexOf(NEWLINE, at)
    const text = log.toString("utf8", at, end)
    at = end + 1
    return text
  }
  while (at < log.length) {
    const [kind = "", inode = "", offset, size, changed = "", mark] = line().split(" ")
    const [path, other] = [line(), line()]
    const length = kind === "write" || kind === "write-through" ? Number(size) : 0
    const bytes = log.subarray(at, at + length)
    at += length
    entries.push({
      kind,
      inode,
      offset: Number(offset),
      size: Number(size),
      changed,
      mark: Number(mark),
      path,
      other,
      bytes,
    })
  }
  return entries
}

/** Returns whether an entry takes something to the disk. */
export function isSync({ kind }: LogEntry): boolean {
  return kind === "sync" || kind === "sync-folder" || kind === "write-through"
}
