import type { CallerFilesets } from "@assay/filesets"
import type { Registry } from "@assay/registry"
import { isAssayError, type FileInfo } from "@assay/schemas"
import { type FilePath, parseFilePath } from "@assay/storage"
import type { streamArchive } from "@assay/results"
import { findResultsLocation, type ResultsOwner, type ResultsLocation } from "./results-location.ts"

/** A file of results. */
export type ArchiveFile =
  Extract<Parameters<typeof streamArchive>[0], AsyncIterable<unknown>> extends AsyncIterable<infer File> ? File : never

/** The results with which a job ended. */
export interface ResultsFileset {
  /** Lists every file in code-point order, by its path in the results. */
  files(): AsyncIterable<ArchiveFile>
  /** Returns a file by its path in the results. @throws `not_found` */
  file(path: string): Promise<VersionedFile>
  /** Removes the fileset of the job, or only the job's folder in the fileset of `output_files_url`. */
  remove(): Promise<void>
}

/** A file, and a text that is another one after the file has changed. */
export interface VersionedFile extends Pick<ArchiveFile, "open"> {
  readonly version: string
}

/** A file of a listing, whose path is parsed. */
interface ListedFile extends FileInfo {
  readonly path: FilePath
}

/** The folder of a runner that has not ended, in a fileset with earlier files. */
const STAGED = /^attempt-\d+\//

/** Opens the results of a job. */
export function openResultsFileset(
  { filesets, files }: CallerFilesets,
  { workspace, name, filesetId, folder, isOwn, runnerFolder }: ResultsLocation,
  signal?: AbortSignal,
): ResultsFileset {
  const current = isOwn || runnerFolder === "" ? folder : `${folder}${runnerFolder}/`
  const abortable = signal === undefined ? {} : { signal }
  const removing = filesetId === undefined ? abortable : { ...abortable, filesetId }

  async function* list(below: string): AsyncGenerator<ListedFile, void, undefined> {
    let token: string | undefined
    do {
      const page = await files.list(workspace, name, {
        ...(below === "" ? {} : { path: below }),
        ...(token === undefined ? {} : { page_token: token }),
        ...abortable,
      })
      for (const file of page.data) yield { ...file, path: parseFilePath(file.path) }
      token = page.next_page_token
    } while (token !== undefined)
  }
  async function* read(path: FilePath): AsyncGenerator<Uint8Array, void, undefined> {
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
    async file(inside) {
      const path = parseFilePath(current + inside)
      const { size, etag, updated_at } = await files.stat(workspace, name, path, abortable)
      return { version: JSON.stringify([size, etag ?? updated_at]), open: () => read(path) }
    },
    async remove() {
      try {
        if (isOwn) await filesets.remove(workspace, name, { permanent: true })
        else for await (const { path } of list(folder)) await files.remove(workspace, name, path, removing)
      } catch (error) {
        if (!isAssayError(error, "not_found")) throw error
      }
    },
  }
}

/** Removes the results of a job. A caller who may delete the job may delete its results, in any workspace. */
export async function removeResults(registry: Registry, job: ResultsOwner): Promise<void> {
  const everywhere = () => true
  try {
    const location = await findResultsLocation(registry.jobs, job, everywhere)
    await openResultsFileset(registry.as(everywhere), location).remove()
  } catch (error) {
    // The fileset was removed, and its results with it.
    if (!isAssayError(error, "not_found")) throw error
  }
}
