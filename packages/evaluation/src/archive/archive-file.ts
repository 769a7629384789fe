/** A file that goes into an archive. */
export interface ArchiveFile {
  /** With `/` between folders; up to 65,535 bytes. */
  readonly path: string
  /** Bytes, where they are known: a file below 4 GiB needs no Zip64 then. */
  readonly size?: number
  /** Milliseconds since 1970, UTC. */
  readonly mtime: number
  /** Begins to read it; called when its turn comes. A piece may be used again once the next one is asked for. */
  open(): AsyncIterable<Uint8Array>
}
