/** A changed record, or any record of a kind if it has no name. */
export interface Change {
  readonly kind: string
  /** Null: it belongs to no workspace. */
  readonly workspace: string | null
  readonly name: string | null
}

/** A change of anything. */
export const ANYTHING: Change = { kind: "*", workspace: null, name: null }

/** The kind of jobs, whose changes come from their events. */
const JOBS = "jobs"
const PREFIX = "change "

/** Returns the notice of changes. */
export function formatChanges(changes: readonly Change[]): string {
  return PREFIX + JSON.stringify(changes.map(({ kind, workspace, name }) => [kind, workspace, name]))
}

/** Returns the changes that a notice of the database is about: of records, or of a job. Other notices are about nothing. */
export function parseChanges(notice: string): readonly Change[] {
  if (notice.startsWith(PREFIX)) {
    const parts = JSON.parse(notice.slice(PREFIX.length)) as [string, string | null, string | null][]
    return parts.map(([kind, workspace, name]) => ({ kind, workspace, name }))
  }
  const [id = "", , workspace] = notice.split(" ")
  // Servers of earlier versions do not name the workspace, so it is not known who may know the job.
  if (!id.startsWith("eval-")) return []
  return [workspace === undefined ? { kind: JOBS, workspace: null, name: null } : { kind: JOBS, workspace, name: id }]
}
