import { once } from "node:events"
import { createWriteStream, rmSync } from "node:fs"
import { open, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import type { Writable } from "node:stream"
import { finished } from "node:stream/promises"
import { compressionFor } from "./unpack-backup.ts"

/** Where an archive is written to. */
export interface BackupOutput {
  write(bytes: Uint8Array): Promise<void>
  /** Makes it durable and gives it its name. Before that, nobody sees it. */
  finish(): Promise<void>
  /** Leaves nothing. */
  discard(): Promise<void>
}

/** Writes an archive aside, for its owner alone, and renames it when it is whole. */
export function openFileOutput(file: string): BackupOutput {
  const aside = `${file}.part`
  rmSync(aside, { force: true })
  const compression = compressionFor(file)
  const target = createWriteStream(aside, { flags: "wx", mode: 0o600, flush: true })
  compression.pipe(target)
  const ended = finished(target)
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
      await rename(aside, file)
      const folder = await open(dirname(file), "r")
      try {
        await folder.sync()
      } finally {
        await folder.close()
      }
    },
    async discard() {
      compression.destroy()
      target.destroy()
      await ended.catch(() => {})
      await rm(aside, { force: true })
    },
  }
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
