import { formatBytes } from "@assay/reports"
import type { TrashEntry } from "@assay/schemas"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import type { Column } from "../../../table/column.ts"
import { nameColumn, timeColumn } from "../../../table/record-columns.tsx"
import { RestoreButton } from "./restore-button.tsx"

export interface TrashActions {
  readonly restore: (entry: TrashEntry, name: string) => Promise<unknown>
  readonly remove: (entry: TrashEntry) => Promise<unknown>
}

/** Returns the columns of the table of deleted filesets. @param actions undefined if the caller may not change anything */
export function trashColumns(actions: TrashActions | undefined): readonly Column<TrashEntry>[] {
  return [
    nameColumn(),
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
    timeColumn("until", "Gone for good", ({ removed_until }) => removed_until),
    ...(actions === undefined ? [] : [actionsColumn(actions)]),
  ]
}

function actionsColumn({ restore, remove }: TrashActions): Column<TrashEntry> {
  return {
    id: "actions",
    title: "Actions",
    width: "16rem",
    render: (entry) => (
      <span className="actions">
        <RestoreButton entry={entry} onRestore={(name) => restore(entry, name)} />
        <ConfirmButton
          label="Delete for good"
          title={`Delete ${entry.workspace}/${entry.name} for good?`}
          onConfirm={() => remove(entry)}
        >
          <p>Its files on this server are deleted. This can't be undone.</p>
        </ConfirmButton>
      </span>
    ),
    text: () => null,
  }
}
