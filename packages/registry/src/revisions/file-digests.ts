import { isAssayError } from "@assay/schemas"
import type { ContentDigests } from "./content-digests.ts"
import type { OpenedFileset } from "./create-revisions.ts"
import { stillReading } from "./revision-errors.ts"
import type { TreeFile } from "./revisions.ts"

/** Digests of files, read where nobody can tell them. */
export interface FileDigests {
  /** What can be told without reading. */
  known(fileset: OpenedFileset, file: TreeFile): Promise<string | undefined>
  /**
   * In the order of the files; null for one that has another version by now.
   * @throws `unavailable` after some seconds; the reading goes on
   */
  all(fileset: OpenedFileset, files: readonly TreeFile[]): Promise<readonly (string | null)[]>
}

/** Files of one request that are read at a time. */
const PARALLEL = 4

/** Clients wait ten seconds for the first byte of an answer. */
const PATIENCE_MS = 8000

export function createFileDigests(content: ContentDigests, patienceMs = PATIENCE_MS): FileDigests {
  async function computeAll(fileset: OpenedFileset, files: readonly TreeFile[], into: Map<string, string>) {
    const queue = files.values()
    const work = async () => {
      for (const file of queue) {
        const sha256 = await orMissing(content.compute(fileset.id, fileset.storage, file))
        if (sha256 !== null) into.set(file.path, sha256)
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, work))
  }

  return {
    async known({ id }, file) {
      return file.sha256 ?? (await content.known(id, [file])).get(file.path)
    },
    async all(fileset, files) {
      const untold = files.filter(({ sha256 }) => sha256 === null)
      const found = new Map(untold.length === 0 ? [] : await content.known(fileset.id, untold))
      const unread = untold.filter(({ path }) => !found.has(path))
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
