import type { ListOptions, ReadOptions, ReadResult, Storage, StoredFile, WriteOptions } from "../storage.ts"
import type { FilePath } from "../file-path.ts"
import { withinDeadline, type OperationDeadline, type StartDeadline } from "./operation-deadline.ts"

/**
 * Wraps a storage so that each operation fails with `upstream_timeout` if its caller waits too long for the backend: for `stat` and
 * `delete` until they end, for a read until the first byte, for a listing until the next file, and for a write whenever the
 * backend, not the source, is waited for. The time of a listing starts again with each page.
 */
export function withDeadline(storage: Storage, start: StartDeadline): Storage {
  const { level } = storage
  return {
    ...storage,
    stat: (path, { signal } = {}) =>
      withinDeadline(start({ operation: "stat", path }, signal), (ending) => storage.stat(path, { signal: ending })),
    delete: (path, { signal } = {}) =>
      withinDeadline(start({ operation: "delete", path }, signal), (ending) =>
        storage.delete(path, { signal: ending }),
      ),
    list: (options = {}) =>
      list(start, options.prefix, options.signal, (bounds) => storage.list({ ...options, ...bounds })),
    ...(level === undefined
      ? {}
      : {
          level: (options) => list(start, options.folder, options.signal, (bounds) => level({ ...options, ...bounds })),
        }),
    read: (path, options = {}) => read(storage, start, path, options),
    write: (path, bytes, options = {}) => write(storage, start, { path, bytes, options }),
  }
}

type Bounds = Pick<ListOptions, "signal" | "onProgress">

async function* list<Entry>(
  start: StartDeadline,
  path: string | undefined,
  signal: AbortSignal | undefined,
  open: (bounds: Bounds) => AsyncIterable<Entry>,
): AsyncGenerator<Entry> {
  const deadline = start({ operation: "list", path: path === "" ? undefined : path }, signal)
  const entries = open({ signal: deadline.signal, onProgress: () => deadline.restart() })[Symbol.asyncIterator]()
  let isOver = false
  try {
    for (;;) {
      deadline.restart()
      deadline.wait()
      const step = await deadline.race(entries.next())
      deadline.rest()
      if (step.done === true) {
        isOver = true
        return
      }
      yield step.value
    }
  } finally {
    deadline.end()
    // Not awaited: the `return` of a listing that hangs in `next` never resolves.
    if (!isOver) entries.return?.()?.catch(() => {})
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

/** Applies the deadline until the first byte. After that, the read's own limit on silence applies. */
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

/** Stops the deadline while the source of a write prepares its next piece. */
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
