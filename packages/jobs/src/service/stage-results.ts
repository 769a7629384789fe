import type { CallerFilesets } from "@assay/filesets"
import type { JobRun } from "@assay/job-store"
import { isAssayError } from "@assay/schemas"
import { type FilePath, type Outages, parseFilePath, parseNewFilePath } from "@assay/storage"
import type { writeResults } from "@assay/results"
import type { ResultsToPublish } from "../runner/job-setting.ts"
import { openResultsFileset } from "../outputs/results-fileset.ts"
import type { ResultsLocation } from "../outputs/results-location.ts"

type ResultsSink = Parameters<typeof writeResults>[1]

/** Results that are being written. Readers see them when the job has ended with them. */
export interface StagedFiles extends ResultsSink {
  /** Copies the other files of the earlier results, such as the scores of an attempt that got further, or files of users. */
  keepOthers(): Promise<void>
  readonly toPublish: ResultsToPublish
}

export interface StageOptions {
  readonly files: CallerFilesets
  /** Finds the location of the results. It is called for each file, since the fileset can get another name at any time. */
  readonly findLocation: () => Promise<ResultsLocation>
  /** Aborted when the runner has lost the job. */
  readonly signal: AbortSignal
  readonly outages: Outages
}

/** Begins to write the results of a job to a location that readers don't see. @throws `runner_lost`, `already_exists`, `not_found` */
export async function stageResults(run: JobRun, options: StageOptions): Promise<StagedFiles> {
  const { files, findLocation, signal, outages } = options
  const stage = async () => {
    const location = await findLocation()
    return location.isOwn ? stageOwn(run, location, signal) : stageInFolder(run, options)
  }
  const staging = await outages.outlast(stage, { signal })
  const written = new Set<string>()
  const writeNoted: ResultsSink["write"] = async (path, open) => {
    await outages.outlast(() => staging.write(path, open()), { signal })
    written.add(path)
  }
  const keepOthers = async (): Promise<void> => {
    const location = await findLocation()
    // Without earlier results of this job, the fileset of `output_files_url` has nothing to keep.
    if (!location.isOwn && location.runnerFolder === "") return
    const current = openResultsFileset(files, location, signal)
    for await (const file of current.files()) {
      if (!written.has(file.path)) await writeNoted(file.path, () => copied(file.open()))
    }
  }
  return {
    write: writeNoted,
    keepOthers: () => outages.outlast(keepOthers, { signal }),
    toPublish: staging.toPublish,
  }
}

interface Staging extends Pick<StagedFiles, "toPublish"> {
  write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
}

async function stageOwn(run: JobRun, { workspace, name }: ResultsLocation, signal: AbortSignal): Promise<Staging> {
  const { id } = run.job
  const custom_fields = { evaluation_job: id }
  const staged = await run.stageResults({ workspace, name, description: `Results of ${id}`, custom_fields })
  return {
    write: (path, bytes) => staged.write(parseFilePath(path), bytes, { signal }),
    toPublish: {
      results: staged,
      // The registry deletes the replaced folder later, since a reader may still use it.
      settle: async (arePublished) => (arePublished ? undefined : staged.discard()),
    },
  }
}

const RUNNER_FOLDER = /^attempt-(\d+)\//

/** Writes into the fileset of `output_files_url`: its record does not change, and each runner has a folder there. */
async function stageInFolder(
  { folder: mine, claim }: JobRun,
  { files: { files }, findLocation, signal }: StageOptions,
): Promise<Staging> {
  const { folder } = await findLocation()
  const own = `${folder}${mine}/`
  /** Folders of earlier runners. A later runner may have begun already. */
  const isOlder = (path: string) => Number(RUNNER_FOLDER.exec(path.slice(folder.length))?.[1] ?? claim) < claim

  async function removeWhere(isRemoved: (path: string) => boolean): Promise<void> {
    for (let token: string | undefined, isLast = false; !isLast; isLast = token === undefined) {
      const page_token = token
      const page = await inFileset(findLocation, ({ workspace, name }) =>
        files.list(workspace, name, { path: folder, ...(page_token === undefined ? {} : { page_token }) }),
      )
      token = page.next_page_token
      for (const { path } of page.data) if (isRemoved(path)) await removeFile(parseFilePath(path))
    }
  }
  async function removeFile(path: FilePath): Promise<void> {
    await inFileset(findLocation, ({ workspace, name, ...bound }) => files.remove(workspace, name, path, bound)).catch(
      (error: unknown) => {
        if (!isAssayError(error, "not_found")) throw error
      },
    )
  }
  return {
    write: async (path, bytes) => {
      const written = parseNewFilePath(own + path)
      await inFileset(findLocation, ({ workspace, name, ...bound }) =>
        files.write(workspace, name, written, bytes, { signal, ...bound }),
      )
    },
    toPublish: {
      results: { folder: mine },
      settle: (arePublished) => removeWhere(arePublished ? isOlder : (path) => path.startsWith(own)),
    },
  }
}

interface PresentFileset {
  readonly workspace: string
  readonly name: string
  readonly filesetId?: string
}

/** Works in the fileset of the results under its present name, and tries again if it gets another name before the work begins. */
async function inFileset<T>(
  findLocation: StageOptions["findLocation"],
  work: (fileset: PresentFileset) => Promise<T>,
): Promise<T> {
  for (let location = await findLocation(); ;) {
    const { workspace, name, filesetId } = location
    try {
      return await work({ workspace, name, ...(filesetId === undefined ? {} : { filesetId }) })
    } catch (error) {
      if (!isAssayError(error, "not_found")) throw error
      location = await findLocation()
      if (location.name === name) throw error
    }
  }
}

/** Copies each piece, since the reader uses its buffer again while the writer may still hold it. */
async function* copied(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) yield Uint8Array.from(piece)
}
