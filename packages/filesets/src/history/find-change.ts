import type { FilesetsContext } from "../filesets-context.ts"
import { stateAt, type FilesetState } from "./fileset-states.ts"
import type { OpenedHistory } from "./resolve-state.ts"

/** The files after a change. */
export interface ChangeState extends FilesetState {
  /** Milliseconds since 1970, UTC. */
  readonly endedAt: number
  readonly title: string
}

/** Names a change: by its id, or also by the commit that it led to. */
export type ChangeName = { readonly id: string; readonly commit_id?: string }

export async function findChange(
  { database, now }: Pick<FilesetsContext, "database" | "now">,
  { id: filesetId, storage }: Pick<OpenedHistory, "id" | "storage">,
  named: ChangeName,
): Promise<ChangeState | undefined> {
  const change = await database.read((queries) =>
    queries
      .selectFrom("file_changes")
      .select(["ended_at", "title"])
      .where("fileset_id", "=", filesetId)
      .where((row) => row.or({ ...named }))
      .orderBy("ended_at", "desc")
      .limit(1)
      .executeTakeFirst(),
  )
  if (change === undefined) return undefined
  const { ended_at: time, title } = change
  return { ...stateAt({ database }, { filesetId, storage, time, revision: named.id, now }), endedAt: time, title }
}
