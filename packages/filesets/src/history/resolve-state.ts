import type { Storage } from "@assay/storage"
import { AssayError } from "@assay/schemas"
import type { FilesetsContext } from "../filesets-context.ts"
import { revisionNotFound } from "../revisions/revisions.ts"
import { taggedCommit } from "../revisions/kept/tagged-commit.ts"
import type { StoredRevisions } from "../revisions/stored-revisions.ts"
import { findChange } from "./find-change.ts"
import { checkMoment, commitState, parseMoment, presentState, stateAt, type FilesetState } from "./fileset-states.ts"

export interface StatesContext extends Pick<FilesetsContext, "database" | "now"> {
  readonly stored: Pick<StoredRevisions, "get">
  /** Days that the history reaches back. */
  readonly days: number
}

export interface OpenedHistory {
  readonly id: string
  readonly workspace: string
  readonly name: string
  readonly storage: Storage
}

const PRESENT: ReadonlySet<string> = new Set(["now", "main", "HEAD"])
const MIN_DIGITS = 7

/** Finds the state that a caller names. @throws `not_found`, `bad_request` */
export async function resolveState(
  context: StatesContext,
  fileset: OpenedHistory,
  named: string | undefined,
): Promise<FilesetState> {
  const { database, now, stored, days } = context
  const { id: filesetId, storage } = fileset
  if (named === undefined || PRESENT.has(named)) return presentState(storage)
  const time = parseMoment(named)
  if (time !== undefined) {
    checkMoment(named, time, { now: now(), days })
    return stateAt({ database }, { filesetId, storage, time, revision: named, now })
  }
  const id = (await taggedCommit(context, filesetId, named)) ?? (await completeId(context, fileset, named))
  const revision = await stored.get(filesetId, id)
  if (revision !== undefined) return commitState(revision)
  const change = await findChange(context, fileset, { id, commit_id: id })
  if (change === undefined) throw revisionNotFound(fileset, named)
  return change
}

/** Returns the id that begins with some digits. @throws `not_found`; `bad_request` if there are several */
async function completeId({ database }: StatesContext, fileset: OpenedHistory, named: string): Promise<string> {
  if (!/^[0-9a-f]+$/.test(named) || named.length < MIN_DIGITS || named.length > 40)
    throw revisionNotFound(fileset, named)
  if (named.length === 40) return named
  const last = `${named}g`
  const found = await database.read(async (queries) => {
    const commits = await queries
      .selectFrom("file_trees")
      .select("commit_id as id")
      .where("fileset_id", "=", fileset.id)
      .where("commit_id", ">=", named)
      .where("commit_id", "<", last)
      .limit(2)
      .execute()
    const changes = await queries
      .selectFrom("file_changes")
      .select("id")
      .where("fileset_id", "=", fileset.id)
      .where("id", ">=", named)
      .where("id", "<", last)
      .limit(2)
      .execute()
    return new Set([...commits, ...changes].map(({ id }) => id))
  })
  const [id, second] = found
  if (id === undefined) throw revisionNotFound(fileset, named)
  if (second === undefined) return id
  throw new AssayError("bad_request", `Several revisions begin with '${named}'; use more digits.`)
}
