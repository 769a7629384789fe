import { createHash } from "node:crypto"
import type { ReadResult, Storage, StoredFile, StoredFolder } from "@assay/storage"
import type { ContentDigests } from "./content-digests.ts"
import { revisionFileOf } from "./revisions.ts"

interface KnownDigestsOptions {
  readonly filesetId: string
  readonly digests: ContentDigests
  /** Called if a digest could not be stored. The read continues. */
  readonly onFailure: (error: unknown) => void
}

/** Files whose digests are looked up in one query. */
const BATCH = 1000

/**
 * Returns the same storage, which also returns digests that became known through metadata requests or complete reads. So a
 * file that was fetched once can be compared later, on backends that provide no digests.
 */
export function withKnownDigests(storage: Storage, { filesetId, digests, onFailure }: KnownDigestsOptions): Storage {
  const { level } = storage
  const knownOf = (files: readonly StoredFile[]) => digests.known(filesetId, files.map(revisionFileOf))

  async function addDigests<Entry extends StoredFile | StoredFolder>(
    entries: readonly Entry[],
  ): Promise<readonly Entry[]> {
    const unknown = entries.filter((entry) => "sha256" in entry && entry.sha256 === null) as StoredFile[]
    if (unknown.length === 0) return entries
    const known = await knownOf(unknown)
    return entries.map((entry) =>
      "sha256" in entry && entry.sha256 === null ? { ...entry, sha256: known.get(entry.path) ?? null } : entry,
    )
  }

  /** Adds the digest of one file. Stores a digest that the backend returned, because its listings may not have it. */
  async function addDigest(file: StoredFile): Promise<StoredFile> {
    const sha256 = (await knownOf([file])).get(file.path) ?? null
    if (file.sha256 === null) return { ...file, sha256 }
    if (sha256 === null) await digests.keep(filesetId, revisionFileOf(file)).catch(onFailure)
    return file
  }

  /** Not a generator: if a consumer never starts a generator, its `return` does not release the bytes. */
  function digesting({ file, bytes }: ReadResult): AsyncIterable<Uint8Array> {
    const hash = createHash("sha256")
    const pieces = bytes[Symbol.asyncIterator]()
    let seen = 0
    const iterator: AsyncIterableIterator<Uint8Array> = {
      async next() {
        const step = await pieces.next()
        if (step.done === true) return step
        hash.update(step.value)
        seen += step.value.byteLength
        // Store the digest after the last byte: a consumer that has all bytes may not ask for the end.
        if (seen === file.size) {
          await digests.keep(filesetId, { ...revisionFileOf(file), sha256: hash.digest("hex") }).catch(onFailure)
        }
        return step
      },
      async return() {
        await pieces.return?.()
        return { done: true, value: undefined }
      },
      [Symbol.asyncIterator]: () => iterator,
    }
    return iterator
  }

  return {
    ...storage,
    async stat(path, options) {
      return addDigest(await storage.stat(path, options))
    },
    list: (options) => inBatches(storage.list(options), addDigests),
    ...(level === undefined ? {} : { level: (options) => inBatches(level(options), addDigests) }),
    async read(path, options) {
      const result = await storage.read(path, options)
      const file = await addDigest(result.file)
      const isDigested = result.range === undefined && file.sha256 === null
      return isDigested ? { ...result, file, bytes: digesting(result) } : { ...result, file }
    },
  }
}

/** Yields entries, changed in batches. */
async function* inBatches<Entry>(
  entries: AsyncIterable<Entry>,
  change: (batch: readonly Entry[]) => Promise<readonly Entry[]>,
): AsyncGenerator<Entry> {
  let batch: Entry[] = []
  for await (const entry of entries) {
    batch.push(entry)
    if (batch.length < BATCH) continue
    yield* await change(batch)
    batch = []
  }
  yield* await change(batch)
}
