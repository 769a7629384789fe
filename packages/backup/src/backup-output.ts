import { once } from "node:events"
import { createWriteStream, rmSync } from "node:fs"
import { rm } from "node:fs/promises"
import { PassThrough, type Duplex, type Writable } from "node:stream"
import { finished } from "node:stream/promises"
import { createGzip, createZstdCompress } from "node:zlib"
import { localFailure, replaceFile } from "@assay/storage"

/** The target of an archive. */
export interface BackupOutput {
  write(bytes: Uint8Array): Promise<void>
  /** Makes the archive durable and gives it its name. Before this it is not visible. */
  finish(): Promise<void>
  /** Removes everything that was written. */
  discard(): Promise<void>
}

/**
 * Writes an archive to a temporary file beside `file`, with mode 0600, and renames it when it is complete. The name decides
 * about compression: gzip for `.gz` and `.tgz`, Zstandard for `.zst` and `.tzst`, otherwise none.
 */
export function openFileOutput(file: string): BackupOutput {
  const aside = `${file}.part`
  rmSync(aside, { force: true })
  const compression = compressionFor(file)
  const target = createWriteStream(aside, { flags: "wx", mode: 0o600, flush: true })
  compression.pipe(target)
  const ended = finished(target).catch((error: unknown) => {
    throw localFailure(error, "write", file)
  })
  const failed = new AbortController()
  compression.on("error", (error) => target.destroy(error))
  ended.catch((error: unknown) => failed.abort(error))
  return {
    async write(bytes) {
      failed.signal.throwIfAborted()
      if (!compression.write(bytes)) await once(compression, "drain", { signal: failed.signal }).catch(rethrow(failed))
    },
    async finish() {
      failed.signal.throwIfAborted()
      compression.end()
      await ended
      // A file `<file>.old` would be one of the user.
      await replaceFile(aside, file, `${aside}.old`)
    },
    async discard() {
      compression.destroy()
      target.destroy()
      await ended.catch(() => {})
      await rm(aside, { force: true })
    },
  }
}

function compressionFor(name: string): Duplex {
  if (/\.(gz|tgz)$/i.test(name)) return createGzip()
  if (/\.(zst|tzst)$/i.test(name)) return createZstdCompress()
  return new PassThrough()
}

function rethrow(failed: AbortController): (error: unknown) => never {
  return (error) => {
    throw failed.signal.aborted ? failed.signal.reason : error
  }
}

/** Writes an archive to a stream that stays open, such as stdout. */
export function openStreamOutput(stream: Writable): BackupOutput {
  return {
    async write(bytes) {
      if (!stream.write(bytes)) await once(stream, "drain")
    },
    finish: async () => {},
    discard: async () => {},
  }
}
