import { mkdir, open, type FileHandle } from "node:fs/promises"
import { dirname } from "node:path"
import { AssayError } from "@assay/schemas"
import type { CalibrationJournal } from "./calibration-journal.ts"
import { indexJournal, readEntry } from "./journal-index.ts"

const BATCH_MS = 100

/**
 * A journal in a file of JSON lines, which is made where it is missing. Lines are written and synced in batches, about ten
 * a second; a last line that was cut by a crash is dropped. One process at a time may have the file open.
 * @throws `local_file_failed`
 */
export async function openFileJournal(path: string): Promise<CalibrationJournal> {
  const failed = (cause: unknown) =>
    new AssayError("local_file_failed", `The journal ${path} can't be used: ${messageOf(cause)}.`, { cause })
  const handle = await mkdir(dirname(path), { recursive: true })
    .then(() => openFile(path))
    .catch((cause: unknown) => {
      throw failed(cause)
    })
  const index = await indexJournal(handle).catch(async (cause: unknown) => {
    await handle.close()
    throw failed(cause)
  })

  let lines: string[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let failure: AssayError | undefined

  const append = async (batch: string, before: Promise<void>) => {
    await before
    try {
      await handle.appendFile(batch)
      await handle.datasync()
    } catch (cause) {
      failure ??= failed(cause)
    }
  }
  const write = () => {
    clearTimeout(timer)
    timer = undefined
    if (lines.length === 0) return
    const batch = lines.join("")
    lines = []
    writing = append(batch, writing)
  }
  const flush = async () => {
    write()
    await writing
    if (failure !== undefined) throw failure
  }

  return {
    read(key) {
      const place = index.get(key)
      return place === undefined ? undefined : readEntry(handle.fd, place)
    },
    append(key, judged) {
      if (failure !== undefined) throw failure
      lines.push(`${JSON.stringify({ key, judged })}\n`)
      timer ??= setTimeout(write, BATCH_MS)
    },
    flush,
    async close() {
      try {
        await flush()
      } finally {
        await handle.close()
      }
    },
  }
}

/** To read and write a pipe, which opens at once, would wait for its other end. */
async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path, "a+")
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw new Error("it is not a regular file")
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
