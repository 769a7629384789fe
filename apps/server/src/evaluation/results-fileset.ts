import type { ArchiveFile } from "@assay/evaluation"
import type { CallerRegistry } from "@assay/registry"
import { isAssayError, type FileInfo } from "@assay/schemas"
import type { ResultsPlace } from "./results-place.ts"

/** The results of a job: those with which it ended. */
export interface ResultsFileset {
  /** Every file in code-point order, by its path in the results. */
  files(): AsyncIterable<ArchiveFile>
  /** What a job that is removed takes along: its own fileset; of one that others named, only its folder. */
  remove(): Promise<void>
}

/** What a runner that has not ended writes into a fileset that had files before. */
const STAGED = /^attempt-\d+\//

/** Opens the results of a job, wherever they lie. */
export function openResultsFileset(
  { filesets, files }: CallerRegistry,
  { workspace, name, filesetId, folder, isOwn, runnerFolder }: ResultsPlace,
  signal?: AbortSignal,
): ResultsFileset {
  const current = isOwn || runnerFolder === "" ? folder : `${folder}${runnerFolder}/`
  const abortable = signal === undefined ? {} : { signal }
  const removing = filesetId === undefined ? abortable : { ...abortable, filesetId }

  async function* list(below: string): AsyncGenerator<FileInfo, void, undefined> {
    let token: string | undefined
    do {
      const page = await files.list(workspace, name, {
        ...(below === "" ? {} : { path: below }),
        ...(token === undefined ? {} : { page_token: token }),
        ...abortable,
      })
      yield* page.data
      token = page.next_page_token
    } while (token !== undefined)
  }
  async function* read(path: string): AsyncGenerator<Uint8Array, void, undefined> {
    const { bytes, release } = await files.read(workspace, name, path, abortable)
    for await (const piece of bytes) {
      yield piece
      release?.(piece)
    }
  }
  return {
    async *files() {
      for await (const { path, size, updated_at } of list(current)) {
        const inside = path.slice(current.length)
        if (STAGED.test(inside)) continue
        const mtime = updated_at === null ? 0 : Date.parse(updated_at)
        yield { path: inside, size, mtime, open: () => read(path) }
      }
    },
    async remove() {
      try {
        if (isOwn) await filesets.remove(workspace, name)
        else for await (const { path } of list(folder)) await files.remove(workspace, name, path, removing)
      } catch (error) {
        if (!isAssayError(error, "not_found")) throw error
      }
    },
  }
}
