import { isAssayError } from "@assay/schemas"
import pLimit from "p-limit"
import type { OpenedFileset } from "./current/current-revisions.ts"
import { stillReading } from "./revisions.ts"
import type { RevisionFile } from "./revision-file.ts"
import type { ContentDigests } from "./content-digests.ts"

/** Digests of files. Files whose digest is unknown are read. */
export interface FileDigests {
  /** Returns a digest if it is known without reading the file. */
  known(fileset: OpenedFileset, file: RevisionFile): Promise<string | undefined>
  /**
   * Returns digests in the order of the files; null for a file that has changed.
   * @throws `unavailable` after 8 seconds, while files are still being read
   */
  all(fileset: OpenedFileset, files: readonly RevisionFile[]): Promise<readonly (string | null)[]>
}

/** Maximum number of files that a request reads at a time. */
const PARALLEL = 4

/** Milliseconds. Clients wait 10 seconds for the first byte of a response. */
const PATIENCE_MS = 8000

export function createFileDigests(content: ContentDigests, patienceMs = PATIENCE_MS): FileDigests {
  async function computeAll(fileset: OpenedFileset, files: readonly RevisionFile[], into: Map<string, string>) {
    const limit = pLimit(PARALLEL)
    await limit.map(files, async (file) => {
      const sha256 = await orMissing(content.compute(fileset.id, fileset.storage, file))
      if (sha256 !== null) into.set(file.path, sha256)
    })
  }

  return {
    async known({ id }, file) {
      return file.sha256 ?? (await content.known(id, [file])).get(file.path)
    },
    async all(fileset, files) {
      const unlisted = files.filter(({ sha256 }) => sha256 === null)
      const found = new Map(unlisted.length === 0 ? [] : await content.known(fileset.id, unlisted))
      const unread = unlisted.filter(({ path }) => !found.has(path))
      const [first] = unread
      if (first !== undefined) {
        await within(computeAll(fileset, unread, found), patienceMs, () => stillReading(fileset, first.path))
      }
      return files.map(({ path, sha256 }) => sha256 ?? found.get(path) ?? null)
    },
  }
}

async function within<T>(work: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

async function orMissing(work: Promise<string | null>): Promise<string | null> {
  try {
    return await work
  } catch (error) {
    if (isAssayError(error, "not_found")) return null
    throw error
  }
}
