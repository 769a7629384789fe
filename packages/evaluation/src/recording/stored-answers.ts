import { Readable } from "node:stream"
import { AssayError, isAssayError, messageOf } from "@assay/schemas"
import { NO_PATIENCE, type Outages, parseFilePath, type FilePath, type Storage, type StoredFile } from "@assay/storage"
import type { ResponseCache } from "../engine/response-cache.ts"

/** Where the answers of a recording are. */
export type AnswerStore = Pick<ResponseCache, "read" | "keep">

/** The files of a fileset with a recording. */
export interface AnswerFiles extends Pick<Storage, "stat" | "read"> {
  /** @throws `precondition_failed` */
  readonly write: (
    path: FilePath,
    bytes: AsyncIterable<Uint8Array>,
    options: Parameters<Storage["write"]>[2],
  ) => Promise<unknown>
}

/** Bytes of an answer. A larger file is not one. */
const MAX_BYTES = 64 * 1024 * 1024
/** Returned for a file without an answer, which is replaced. */
const DAMAGED = null

/**
 * Opens answers that are files of a fileset, which jobs and their shards share. The first answer of a request stays, and all of them use it. A storage
 * that does not respond is waited for: to ask again would cost another answer.
 * @throws the errors of the storage, from both methods
 */
export function openStoredAnswers(files: AnswerFiles, outages: Outages = NO_PATIENCE): AnswerStore {
  /** Returns the answer at a path with its file. Undefined: there is none. */
  const find = (path: FilePath) => outages.outlast(() => orMissing(readAnswer(files, path)))
  return {
    async read(key, { since } = {}) {
      const found = await find(pathOf(key))
      return found === undefined || isOlder(found.file, since) ? undefined : found.answer
    },
    async keep(key, answer, { replaces, before }) {
      const path = pathOf(key)
      const older = replaces || before !== undefined ? await find(path) : undefined
      const isReplaced = older !== undefined && (replaces || isOlder(older.file, before))
      if (older !== undefined && !isReplaced) return older.answer
      // The older answer is replaced and never removed. If another job was faster, its answer stays.
      const condition = isReplaced ? { ifMatch: older.file.etag ?? "*" } : { ifNoneMatch: "*" as const }
      const isKept = await outages.outlast(() => writeAnswer(files, path, answer, condition))
      return isKept ? answer : ((await find(path))?.answer ?? answer)
    },
  }
}

function pathOf(key: string): FilePath {
  return parseFilePath(`${key.slice(0, 2)}/${key.slice(2)}.json`)
}

/** Object stores have times of whole seconds, which can be those of a file that was written later in that second. */
function isOlder({ updatedAt }: StoredFile, time: number | undefined): boolean {
  if (time === undefined) return false
  if (updatedAt === null) return true
  return updatedAt < (updatedAt % 1000 === 0 ? time - (time % 1000) : time)
}

async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isAssayError(error, "not_found")) return undefined
    const { code, message, context } = isAssayError(error) ? error : unreadable(error)
    throw new AssayError(code, `A recorded answer can't be read: ${message}`, { cause: error, context })
  }
}

function unreadable(error: unknown): AssayError {
  return new AssayError("internal", messageOf(error))
}

async function readAnswer(files: AnswerFiles, path: FilePath) {
  const { file, bytes } = await files.read(path)
  if (file.size > MAX_BYTES) {
    await bytes[Symbol.asyncIterator]().return?.()
    return { file, answer: DAMAGED }
  }
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(Buffer.from(piece))
  return { file, answer: parsed(Buffer.concat(pieces).toString()) }
}

function parsed(text: string): unknown {
  try {
    return (JSON.parse(text) as { answer?: unknown }).answer ?? DAMAGED
  } catch {
    return DAMAGED
  }
}

/** Returns false if the file changed in the meantime. */
async function writeAnswer(
  { write }: AnswerFiles,
  path: FilePath,
  answer: unknown,
  condition: { readonly ifMatch: string } | { readonly ifNoneMatch: "*" },
): Promise<boolean> {
  const bytes = Buffer.from(JSON.stringify({ answer }))
  const send = (options: object) => write(path, Readable.from([bytes]), { ...options, size: bytes.length })
  try {
    await send(condition)
    return true
  } catch (error) {
    if (isAssayError(error, "precondition_failed")) return false
    if (!isAssayError(error, "unsupported")) throw error
    // An object store without conditions: of two jobs at the same time, the last one stays.
    await send({})
    return true
  }
}
