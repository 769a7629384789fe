import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import type { FileJournal } from "@assay/evaluation"
import {
  createFolder,
  deleteAll,
  localFailure,
  type FilePath,
  parseFilePath,
  readAhead,
  type Storage,
  writeWholeFile,
} from "@assay/storage"
import { openRowsOfFiles } from "./rows-of-files.ts"
import { oneOf, type RunStore, runFiles } from "@assay/executors"

/** The rows of a shard that are in no segment yet. */
export interface ShardRows {
  readonly journal: FileJournal
  /** Removes them, after the segments are published. */
  remove(): Promise<void>
}

export interface ShardRowsOptions {
  readonly index: number
  /** A name that no other process of the shard has. A later process has a greater one if the clocks of their machines agree. */
  readonly writer: string
  /** Absolute path of a folder of this machine, for the rows of a run in a bucket. */
  readonly scratch: string
}

/**
 * Opens the rows of a shard. They are durable within a second: in a folder by appending to a file of this process, in a bucket as small
 * files, one for the rows of each second.
 */
export async function openShardRows(store: RunStore, options: ShardRowsOptions): Promise<ShardRows> {
  return store.folder === undefined ? openRowsInBucket(store, options) : openRowsInFolder(store.folder, options)
}

async function openRowsInFolder(folder: string, { index, writer }: ShardRowsOptions): Promise<ShardRows> {
  const rows = join(folder, runFiles.rows(index))
  try {
    await createFolder(rows, { durable: true })
    const earlier = (await readdir(rows)).filter((name) => name.endsWith(".jsonl")).toSorted()
    const paths = earlier.map((name) => join(rows, name))
    const journal = await openRowsOfFiles(paths, join(rows, `${writer}.jsonl`))
    return { journal, remove: () => rm(rows, { recursive: true, force: true }) }
  } catch (error) {
    throw localFailure(error, "write", rows)
  }
}

/** Milliseconds between a row and the start of its upload. */
const SEND_MS = 500

async function openRowsInBucket(
  { storage }: RunStore,
  { index, writer, scratch }: ShardRowsOptions,
): Promise<ShardRows> {
  const prefix = runFiles.rows(index)
  await createFolder(scratch, { durable: false })
  const earlier = join(scratch, "earlier.jsonl")
  await writeWholeFile(earlier, piecesOfParts(storage, prefix))
  const own = await openRowsOfFiles([earlier], join(scratch, "own.jsonl"))
  const sent = own.size()
  const sender = createSender(own, {
    sent,
    send: (number, bytes) => storage.write(partPath(prefix, writer, number), oneOf(bytes), { size: bytes.length }),
  })
  return {
    journal: {
      ...own,
      append(row) {
        own.append(row)
        sender.begin()
      },
      flush: sender.flush,
      async close() {
        try {
          await sender.flush()
        } finally {
          await own.close()
        }
      },
    },
    async remove() {
      await deleteAll(storage, { prefix })
      await rm(scratch, { recursive: true, force: true })
    },
  }
}

function partPath(prefix: string, writer: string, number: number): FilePath {
  return parseFilePath(`${prefix}${writer}-${String(number).padStart(8, "0")}.jsonl`)
}

async function* piecesOfParts(storage: Storage, prefix: string): AsyncGenerator<Uint8Array, void> {
  const paths = await Array.fromAsync(storage.list({ prefix }), ({ path }) => path)
  const read = async (path: FilePath) => Array.fromAsync((await storage.read(path)).bytes)
  for await (const pieces of readAhead(paths, read)) yield* pieces
}

interface SenderOptions {
  /** Bytes of the journal that are in the bucket. */
  readonly sent: number
  readonly send: (number: number, bytes: Buffer) => Promise<unknown>
}

interface Sender {
  /** Sends what was added, soon. */
  readonly begin: () => void
  /** Sends what was added, and waits for it. @throws the error of the storage if it is not sent */
  readonly flush: () => Promise<void>
}

/** Sends what was added to a journal, as one file at a time. A part that can't be sent is tried again, with the rows that were added meanwhile. */
function createSender(journal: FileJournal, { sent: first, send }: SenderOptions): Sender {
  let sent = first
  let number = 0
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()
  let failure: unknown

  const sendAll = async (): Promise<void> => {
    try {
      await journal.flush()
      const size = journal.size()
      if (size > sent) {
        // After a failure this replaces the file, which can be there all the same.
        await send(number, await journal.slice(sent, size))
        number++
        sent = size
      }
      failure = undefined
    } catch (error) {
      failure = error
      begin()
    }
  }
  const begin = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      sending = sending.then(sendAll)
    }, SEND_MS)
  }
  return {
    begin,
    flush: async () => {
      clearTimeout(timer)
      timer = undefined
      sending = sending.then(sendAll)
      await sending
      clearTimeout(timer)
      timer = undefined
      if (failure !== undefined) throw failure
    },
  }
}
