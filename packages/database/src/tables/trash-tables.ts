/** Milliseconds since 1970, UTC. */
type Moment = number

/** Something removed that can be restored. */
export interface TrashEntryTable {
  /** The id of what was removed. */
  id: string
  kind: "fileset"
  workspace: string
  /** The name that it had. */
  name: string
  removed_at: Moment
  /** Who removed it. Empty: nobody signed in. */
  removed_by: string
  /** Until then it can be restored. Then it is deleted. */
  removed_until: Moment
  /** The bytes that its deletion frees. Null: not known. */
  bytes: number | null
  /** The record from which it is restored, as JSON. */
  record: string
}
