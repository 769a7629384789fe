import { formatBytes } from "@assay/reports"
import type { TrashEntry } from "@assay/schemas"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import type { Column } from "../../../table/column.ts"
import { timeColumn } from "../../../table/record-columns.tsx"
import { RestoreButton, RestoreJobButton } from "./restore-button.tsx"

export interface TrashActions {
  /** Restores an entry, a fileset under a name. */
  readonly restore: (entry: TrashEntry, name?: string) => Promise<unknown>
  readonly remove: (entry: TrashEntry) => Promise<unknown>
}

/** Returns the columns of the table of deleted filesets and jobs. @param actions undefined if the caller may not change anything */
export function trashColumns(actions: TrashActions | undefined): readonly Column<TrashEntry>[] {
  return [
    {
      id: "name",
      title: "Name",
      narrow: "title",
      width: "minmax(11rem, 3fr)",
      render: nameOf,
      text: nameOf,
    },
    { id: "kind", title: "Kind", width: "5rem", narrow: "below", render: ({ kind }) => kind, text: ({ kind }) => kind },
    {
      id: "bytes",
      title: "Size",
      width: "7rem",
      align: "end",
      render: ({ bytes }) => (bytes === null ? "–" : formatBytes(bytes)),
      text: ({ bytes }) => bytes,
    },
    timeColumn("removed", "Deleted", ({ removed_at }) => removed_at),
    {
      id: "by",
      title: "By",
      width: "minmax(6rem, 1fr)",
      render: ({ removed_by }) => removed_by,
      text: ({ removed_by }) => removed_by,
    },
    { ...timeColumn("until", "Gone for good", ({ removed_until }) => removed_until), narrowWords: "gone for good" },
    ...(actions === undefined ? [] : [actionsColumn(actions)]),
  ]
}

/** Returns the name of an entry: that of a fileset, or the description of a job. */
export function nameOf({ kind, name, description }: TrashEntry): string {
  return kind === "job" && description !== "" ? description : name
}

function actionsColumn({ restore, remove }: TrashActions): Column<TrashEntry> {
  return {
    id: "actions",
    title: "Actions",
    narrow: "end",
    width: "17rem",
    render: (entry) => (
      <span className="actions">
        {entry.kind === "job" ? (
          <RestoreJobButton onRestore={() => restore(entry)} />
        ) : (
          <RestoreButton entry={entry} onRestore={(name) => restore(entry, name)} />
        )}
        <ConfirmButton
          label="Delete for good"
          title={`Delete ${nameOf(entry)} of ${entry.workspace} for good?`}
          onConfirm={() => remove(entry)}
        >
          <p>
            {entry.kind === "job" ? "Its rows and its results are" : "Its files on this server are"} deleted. This can't
            be undone.
          </p>
        </ConfirmButton>
      </span>
    ),
    text: () => null,
  }
}
