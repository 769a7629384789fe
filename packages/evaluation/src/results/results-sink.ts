/** Where the files of a job's results are written, such as a fileset or a folder. */
export interface ResultsSink {
  /** Writes a whole file or nothing, and replaces a file of the same path. */
  write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
}

/** Writes a text as a file in UTF-8. */
export function writeText(sink: ResultsSink, path: string, text: string): Promise<void> {
  return sink.write(path, bytesOf(text))
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  if (text !== "") yield Buffer.from(text)
}
