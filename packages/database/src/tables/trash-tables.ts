/** Milliseconds since 1970, UTC. */
type Moment = number

/** `results`: the fileset with the results of a removed job. It is restored and deleted with the entry of the job. */
export type TrashKind = "fileset" | "job" | "results"

/** Something removed that can be restored. */
export interface TrashEntryTable {
  /** The id of what was removed. */
  id: string
  kind: TrashKind
  workspace: string
  /** The name that it had. */
  name: string
  removed_at: Moment
  /** The caller who removed it. Empty: nobody signed in. */
  removed_by: string
  /** Until then it can be restored. Then it is deleted. */
  removed_until: Moment
  /** The bytes that its deletion frees. Null: not known. */
  bytes: number | null
  /** The record from which it is restored, as JSON. */
  record: string
}

/** The record of the entry of a removed job. The job itself stays in the table of jobs. */
export interface TrashedJob {
  readonly description: string
  /** The id of the fileset with its results, which has an entry of the kind `results`. Null: it had none of its own. */
  readonly results: string | null
}

/** Returns what the entry of a removed job has. */
export function parseTrashedJob(record: string): TrashedJob {
  return JSON.parse(record) as TrashedJob
}
