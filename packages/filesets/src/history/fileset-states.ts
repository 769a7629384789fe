import { AssayError } from "@assay/schemas"
import { compareCodePoints, type FilePath, type Storage, type StoredFile } from "@assay/storage"
import { sql } from "kysely"
import { readPages } from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"
import { runsOf } from "../revisions/ordered-files.ts"
import type { RevisionFile } from "../revisions/revision-file.ts"
import { revisionFileOf, type Revision } from "../revisions/revisions.ts"
import type { KeptRow } from "./kept-records.ts"

/** The files of a fileset, now or earlier. */
export interface FilesetState {
  /** The name of the state, for messages and records. */
  readonly revision: string
  /** Yields the file `within` and those below the folder `within`, or all, in code-point order of their paths. */
  files(within?: FilePath): AsyncIterable<RevisionFile>
}

/** Returns the present state. */
export function presentState(storage: Storage): FilesetState {
  return {
    revision: "now",
    async *files(within) {
      for await (const file of storage.list({ prefix: within })) yield revisionFileOf(file)
    },
  }
}

/** Returns the state of a commit that was stored with all its files. */
export function commitState(revision: Revision): FilesetState {
  return {
    revision: revision.commit,
    async *files(within) {
      for await (const run of runsOf(revision.files)) {
        for (const file of run) if (isWithin(file.path, within)) yield file
      }
    },
  }
}

function isWithin(path: string, within: string | undefined): boolean {
  return within === undefined || path === within || path.startsWith(`${within}/`)
}

type VersionRow = Pick<KeptRow, "id" | "path" | "size" | "version" | "sha256" | "written_at">

const PAGE = 1000

/**
 * Returns the state at a time. It follows from the present files and from the records of what was replaced or deleted since: of a path, the
 * first version that ended after that time was there, if it had been written by then.
 */
export function stateAt(
  { database }: Pick<FilesetsContext, "database">,
  { filesetId, storage, time, revision, now }: StateOptions,
): FilesetState {
  return {
    revision,
    async *files(within) {
      const began = now()
      const ended = endedAfter({ database }, filesetId, time, within)
      const present = storage.list({ prefix: within })[Symbol.asyncIterator]()
      let next = await present.next()
      const isThen = (writtenAt: number | null) => (writtenAt ?? 0) <= time
      const versionOf = async (file: StoredFile): Promise<RevisionFile | undefined> => {
        if (isThen(file.updatedAt)) return revisionFileOf(file)
        // A file that is written during the listing can have a record that was not there when the records were read.
        if ((file.updatedAt ?? 0) < began - CLOCKS_MS) return undefined
        for await (const row of endedAfter({ database }, filesetId, time, file.path)) {
          if (row.path === file.path && isThen(row.written_at)) return versionOfRow(row)
        }
        return undefined
      }
      try {
        for await (const row of ended) {
          for (; next.done !== true && compareCodePoints(next.value.path, row.path) < 0; next = await present.next()) {
            const file = await versionOf(next.value)
            if (file !== undefined) yield file
          }
          if (next.done !== true && next.value.path === row.path) next = await present.next()
          if (isThen(row.written_at)) yield versionOfRow(row)
        }
        for (; next.done !== true; next = await present.next()) {
          const file = await versionOf(next.value)
          if (file !== undefined) yield file
        }
      } finally {
        await present.return?.()
      }
    },
  }
}

function versionOfRow({ path, size, version, sha256 }: VersionRow): RevisionFile {
  return { path, size, version, sha256 }
}

/** Milliseconds by which the clocks of servers and storages may differ. */
const CLOCKS_MS = 5000

interface StateOptions extends Moment {
  readonly filesetId: string
  readonly storage: Storage
  readonly now: () => number
}

export interface Moment {
  /** Milliseconds since 1970, UTC. */
  readonly time: number
  readonly revision: string
}

/** Yields, for each path, the first version that ended after a time, in the order of their paths. */
async function* endedAfter(
  { database }: Pick<FilesetsContext, "database">,
  filesetId: string,
  time: number,
  within: FilePath | undefined,
): AsyncGenerator<VersionRow, void, undefined> {
  const start = within ?? ""
  // Everything below the folder comes before this text.
  const end = within === undefined ? undefined : `${within}0`
  const pages = readPages<VersionRow>(
    (last, limit) =>
      database.read((queries) =>
        queries
          .selectFrom("kept_files")
          .select(["id", "path", "size", "version", "sha256", "written_at"])
          .where("fileset_id", "=", filesetId)
          .where("replaced_at", ">", time)
          .where(sql<boolean>`path >= ${start}`)
          .$if(end !== undefined, (query) => query.where(sql<boolean>`path < ${end}`))
          .$if(last !== undefined, (query) =>
            query.where(sql<boolean>`(path, id) > (${last?.path ?? ""}, ${last?.id ?? ""})`),
          )
          .orderBy("path")
          .orderBy("id")
          .limit(limit)
          .execute(),
      ),
    PAGE,
  )
  let before: string | undefined
  for await (const rows of pages) {
    for (const row of rows) {
      if (row.path === before || !isWithin(row.path, within)) continue
      before = row.path
      yield row
    }
  }
}

/** Parses a time as a revision. Returns undefined for any other text. */
export function parseMoment(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** @throws `bad_request` for a time that the history does not reach */
export function checkMoment(
  text: string,
  time: number,
  { now, days }: { readonly now: number; readonly days: number },
) {
  if (time > now) throw new AssayError("bad_request", `The time ${text} is in the future; name an earlier one.`)
  if (time >= now - days * DAY_MS) return
  const message = `The history reaches back ${days} days (ASSAY_HISTORY_DAYS), not to ${text}; name a later time.`
  throw new AssayError("bad_request", message)
}

const DAY_MS = 86_400_000
