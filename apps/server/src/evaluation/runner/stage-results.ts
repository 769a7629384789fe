import type { ResultsSink, ResultsToPublish } from "@assay/evaluation"
import type { CallerRegistry, JobRun } from "@assay/registry"
import { isAssayError } from "@assay/schemas"
import { openResultsFileset } from "../results-fileset.ts"
import type { ResultsPlace } from "../results-place.ts"

/** Results on their way: nobody sees them before the job ends with them. */
export interface StagedFiles extends ResultsSink {
  /** Copies what the results so far have besides, such as the scores of a round that got further, or files of users. */
  keepOthers(): Promise<void>
  readonly toPublish: ResultsToPublish
}

export interface StageOptions {
  readonly files: CallerRegistry
  /** Where the results go: asked again for each file, since the fileset can get another name meanwhile. */
  readonly findPlace: () => Promise<ResultsPlace>
  /** Aborted when the runner has lost the job. */
  readonly signal: AbortSignal
}

/** Begins to write the results of a job aside. @throws `runner_lost`, `already_exists`, `not_found` */
export async function stageResults(run: JobRun, options: StageOptions): Promise<StagedFiles> {
  const { files, findPlace, signal } = options
  const place = await findPlace()
  const { write, toPublish } = await (place.isOwn ? stageOwn(run, place, signal) : stageInFolder(run, options))
  const written = new Set<string>()
  const writeNoted: ResultsSink["write"] = async (path, bytes) => {
    signal.throwIfAborted()
    await write(path, bytes)
    written.add(path)
  }
  return {
    write: writeNoted,
    async keepOthers() {
      const place = await findPlace()
      // A fileset of others in which this job has no results yet has nothing to be kept.
      if (!place.isOwn && place.runnerFolder === "") return
      const current = openResultsFileset(files, place, signal)
      for await (const file of current.files()) {
        if (!written.has(file.path)) await writeNoted(file.path, copied(file.open()))
      }
    },
    toPublish,
  }
}

const RUNNER_FOLDER = /^attempt-(\d+)\//

type Staging = Pick<StagedFiles, "write" | "toPublish">

async function stageOwn(run: JobRun, { workspace, name }: ResultsPlace, signal: AbortSignal): Promise<Staging> {
  const { id } = run.job
  const custom_fields = { evaluation_job: id }
  const staged = await run.stageResults({ workspace, name, description: `Results of ${id}`, custom_fields })
  return {
    write: (path, bytes) => staged.write(path, bytes, { signal }),
    toPublish: {
      results: staged,
      // The replaced folder is deleted later: a reader may still use it.
      settle: async (arePublished) => (arePublished ? undefined : staged.discard()),
    },
  }
}

/** The fileset is others': its record stays, and each runner has a folder there. */
async function stageInFolder(
  { folder: mine, claim }: JobRun,
  { files: { files }, findPlace, signal }: StageOptions,
): Promise<Staging> {
  const { folder } = await findPlace()
  const own = `${folder}${mine}/`
  /** Of a runner before this one. A later one may have begun already. */
  const isOlder = (path: string) => Number(RUNNER_FOLDER.exec(path.slice(folder.length))?.[1] ?? claim) < claim

  async function removeWhere(isRemoved: (path: string) => boolean): Promise<void> {
    for (let token: string | undefined, isLast = false; !isLast; isLast = token === undefined) {
      const page_token = token
      const page = await inFileset(findPlace, ({ workspace, name }) =>
        files.list(workspace, name, { path: folder, ...(page_token === undefined ? {} : { page_token }) }),
      )
      token = page.next_page_token
      for (const { path } of page.data) if (isRemoved(path)) await removeFile(path)
    }
  }
  async function removeFile(path: string): Promise<void> {
    await inFileset(findPlace, ({ workspace, name, ...meant }) => files.remove(workspace, name, path, meant)).catch(
      (error: unknown) => {
        if (!isAssayError(error, "not_found")) throw error
      },
    )
  }
  return {
    write: async (path, bytes) => {
      await inFileset(findPlace, ({ workspace, name, ...meant }) =>
        files.write(workspace, name, own + path, bytes, { signal, ...meant }),
      )
    },
    toPublish: {
      results: { folder: mine },
      settle: (arePublished) => removeWhere(arePublished ? isOlder : (path) => path.startsWith(own)),
    },
  }
}

interface FilesetNow {
  readonly workspace: string
  readonly name: string
  readonly filesetId?: string
}

/** Works in the fileset of results under its present name, and again if it gets another one before the work has begun. */
async function inFileset<T>(
  findPlace: StageOptions["findPlace"],
  work: (fileset: FilesetNow) => Promise<T>,
): Promise<T> {
  for (let place = await findPlace(); ;) {
    const { workspace, name, filesetId } = place
    try {
      return await work({ workspace, name, ...(filesetId === undefined ? {} : { filesetId }) })
    } catch (error) {
      if (!isAssayError(error, "not_found")) throw error
      place = await findPlace()
      if (place.name === name) throw error
    }
  }
}

/** Copies: a piece that is read is used again, one that is written is not given back. */
async function* copied(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) yield Uint8Array.from(piece)
}
