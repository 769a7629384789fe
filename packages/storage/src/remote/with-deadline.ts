import type { ListOptions, ReadOptions, ReadResult, Storage, StoredFile, WriteOptions } from "../storage.ts"
import type { FilePath } from "../file-path.ts"
import { withinDeadline, type OperationDeadline, type StartDeadline } from "./operation-deadline.ts"

/**
 * The same storage, each operation of which ends with `upstream_timeout` if the backend keeps its caller waiting for too
 * long: until a file is found or removed, until the first byte of a read, until the next file of a listing, and for a write
 * whenever its own source is not what is waited for. A listing has its whole time again for each page that came.
 */
export function withDeadline(storage: Storage, start: StartDeadline): Storage {
  return {
    ...storage,
    stat: (path, { signal } = {}) =>
      withinDeadline(start({ operation: "stat", path }, signal), (ending) => storage.stat(path, { signal: ending })),
    delete: (path, { signal } = {}) =>
      withinDeadline(start({ operation: "delete", path }, signal), (ending) =>
        storage.delete(path, { signal: ending }),
      ),
    list: (options = {}) => list(storage, start, options),
    read: (path, options = {}) => read(storage, start, path, options),
    write: (path, bytes, options = {}) => write(storage, start, { path, bytes, options }),
  }
}

async function* list(storage: Storage, start: StartDeadline, options: ListOptions): AsyncGenerator<StoredFile> {
  const { prefix = "", signal } = options
  const deadline = start({ operation: "list", ...(prefix === "" ? {} : { path: prefix }) }, signal)
  const onProgress = () => deadline.restart()
  const listing = storage.list({ ...options, signal: deadline.signal, onProgress })
  const files = listing[Symbol.asyncIterator]()
  let isOver = false
  try {
    for (;;) {
      deadline.restart()
      deadline.wait()
      const step = await deadline.race(files.next())
      deadline.rest()
      if (step.done === true) {
        isOver = true
        return
      }
      yield step.value
    }
  } finally {
    deadline.end()
    // Not awaited: a listing that is stuck in `next` answers `return` never.
    if (!isOver) files.return?.()?.catch(() => {})
  }
}

async function read(storage: Storage, start: StartDeadline, path: FilePath, options: ReadOptions): Promise<ReadResult> {
  const deadline = start({ operation: "read", path }, options.signal)
  deadline.wait()
  let hasBegun = false
  const onProgress = () => {
    hasBegun = true
    deadline.rest()
    options.onProgress?.()
  }
  try {
    const result = await deadline.race(storage.read(path, { ...options, signal: deadline.signal, onProgress }))
    deadline.rest()
    return { ...result, bytes: untilFirstByte(result.bytes, deadline, () => hasBegun) }
  } catch (error) {
    deadline.end()
    throw error
  }
}

/** Only the first byte is waited for so long: after it, the limits on silence of the read itself hold. */
function untilFirstByte(
  bytes: AsyncIterable<Uint8Array>,
  deadline: OperationDeadline,
  hasBegun: () => boolean,
): AsyncIterableIterator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]()
  let isFirst = true
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    try {
      if (isFirst && !hasBegun()) deadline.wait()
      const step = await (isFirst ? deadline.race(pieces.next()) : pieces.next())
      isFirst = false
      deadline.rest()
      if (step.done === true) deadline.end()
      return step
    } catch (error) {
      deadline.end()
      throw error
    }
  }
  const iterator: AsyncIterableIterator<Uint8Array> = {
    next,
    async return() {
      deadline.end()
      await pieces.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => iterator,
  }
  return iterator
}

interface Write {
  readonly path: FilePath
  readonly bytes: AsyncIterable<Uint8Array>
  readonly options: WriteOptions
}

async function write(storage: Storage, start: StartDeadline, { path, bytes, options }: Write): Promise<StoredFile> {
  const deadline = start({ operation: "write", path }, options.signal)
  const onProgress = () => deadline.restart()
  return withinDeadline(deadline, (signal) =>
    storage.write(path, restingWhileAsked(bytes, deadline), { ...options, signal, onProgress }),
  )
}

/** While the source of a write is asked for its next piece, nobody waits for the backend. */
async function* restingWhileAsked(
  source: AsyncIterable<Uint8Array>,
  deadline: OperationDeadline,
): AsyncGenerator<Uint8Array> {
  deadline.rest()
  try {
    for await (const piece of source) {
      deadline.restart()
      deadline.wait()
      yield piece
      deadline.rest()
    }
  } finally {
    deadline.restart()
    deadline.wait()
  }
}
