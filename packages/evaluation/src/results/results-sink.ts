/** Where results go: a fileset, a folder. */
export interface ResultsSink {
  /** Writes a file, whole or not at all; one that is there is replaced. */
  write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
}
