import { createHash } from "node:crypto"
import type { ReadResult, Storage, StoredFile } from "@assay/storage"
import type { ContentDigests } from "./content-digests.ts"
import { treeFileOf } from "./revision-of.ts"

export interface KnownDigestsOptions {
  readonly filesetId: string
  readonly digests: ContentDigests
  /** Told where a digest could not be kept; the read that found it goes on. */
  readonly onFailure: (error: unknown) => void
}

/** Files whose digests are looked up at a time. */
const BATCH = 256

/**
 * The same storage, which also tells the digests that were learnt by looking at files, or by reading them whole. So what has been
 * fetched once can be compared afterwards, on backends that tell no digest of their own.
 */
export function withKnownDigests(storage: Storage, { filesetId, digests, onFailure }: KnownDigestsOptions): Storage {
  const knownOf = (files: readonly StoredFile[]) => digests.known(filesetId, files.map(treeFileOf))

  async function tell(files: readonly StoredFile[]): Promise<readonly StoredFile[]> {
    const unknown = files.filter(({ sha256 }) => sha256 === null)
    if (unknown.length === 0) return files
    const known = await knownOf(unknown)
    return files.map((file) => (file.sha256 === null ? { ...file, sha256: known.get(file.path) ?? null } : file))
  }

  /** The same of one file. What the backend tells of it alone, it may leave out of listings. */
  async function tellOne(file: StoredFile): Promise<StoredFile> {
    const sha256 = (await knownOf([file])).get(file.path) ?? null
    if (file.sha256 === null) return { ...file, sha256 }
    if (sha256 === null) await digests.keep(filesetId, treeFileOf(file)).catch(onFailure)
    return file
  }

  /** Not a generator: one that nobody began would not let the bytes go. */
  function learning({ file, bytes }: ReadResult): AsyncIterable<Uint8Array> {
    const hash = createHash("sha256")
    const pieces = bytes[Symbol.asyncIterator]()
    let seen = 0
    const iterator: AsyncIterableIterator<Uint8Array> = {
      async next() {
        const step = await pieces.next()
        if (step.done === true) return step
        hash.update(step.value)
        seen += step.value.byteLength
        // With the last byte, and not at the end: who has all bytes need not ask for more.
        if (seen === file.size) {
          await digests.keep(filesetId, { ...treeFileOf(file), sha256: hash.digest("hex") }).catch(onFailure)
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
      return tellOne(await storage.stat(path, options))
    },
    async *list(options) {
      let batch: StoredFile[] = []
      for await (const file of storage.list(options)) {
        batch.push(file)
        if (batch.length < BATCH) continue
        yield* await tell(batch)
        batch = []
      }
      yield* await tell(batch)
    },
    async read(path, options) {
      const result = await storage.read(path, options)
      const file = await tellOne(result.file)
      const isLearnt = result.range === undefined && file.sha256 === null
      return isLearnt ? { ...result, file, bytes: learning(result) } : { ...result, file }
    },
  }
}
