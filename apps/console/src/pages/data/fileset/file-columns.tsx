import { formatBytes, formatCount } from "@assay/reports"
import { ConfirmButton } from "../../../components/dialogs/confirm-button.tsx"
import { Icon } from "../../../components/icon.tsx"
import { Time } from "../../../components/times/time.tsx"
import type { Column } from "../../../table/column.ts"
import type { FileEntry } from "./use-file-entries.ts"

export interface FileActions {
  readonly canWrite: boolean
  readonly remove: (path: string) => Promise<void>
}

/** Returns the columns of a listing of files and folders. */
export function fileColumns(actions: FileActions): readonly Column<FileEntry>[] {
  return [...FACT_COLUMNS, actionsColumn(actions)]
}

const FACT_COLUMNS: readonly Column<FileEntry>[] = [
  {
    id: "name",
    title: "Name",
    narrow: "title",
    width: "minmax(14rem, 3fr)",
    sortBy: "name",
    render: ({ kind, name }) => (
      <span title={name}>
        <span aria-hidden="true">{kind === "folder" ? "▸ " : ""}</span>
        {name}
        {kind === "folder" ? "/" : ""}
      </span>
    ),
    text: ({ path }) => path,
  },
  {
    id: "size",
    title: "Size",
    narrow: "below",
    width: "minmax(7rem, 0.7fr)",
    align: "end",
    sortBy: "size",
    sortsDown: true,
    render: (entry) =>
      entry.kind === "folder" ? (
        <span
          title={entry.size === null ? "not counted: the folders here have too many files" : formatBytes(entry.size)}
        >
          {entry.files === null ? "–" : formatCount(entry.files, "file")}
        </span>
      ) : (
        <span title={`${entry.file.size} bytes`}>{formatBytes(entry.file.size)}</span>
      ),
    text: (entry) => (entry.kind === "folder" ? entry.size : entry.file.size),
  },
  {
    id: "updated",
    title: "Updated",
    narrow: "below",
    width: "minmax(8rem, 1fr)",
    sortBy: "updated",
    sortsDown: true,
    render: (entry) => (entry.kind === "folder" ? null : <Time at={entry.file.updated_at} />),
    text: (entry) => (entry.kind === "folder" ? null : entry.file.updated_at),
  },
  {
    id: "digest",
    title: "SHA-256",
    width: "minmax(8rem, 1fr)",
    render: (entry) => (
      <span className="mono" title={entry.kind === "file" ? (entry.file.sha256 ?? "not known yet") : undefined}>
        {entry.kind === "file" ? (entry.file.sha256?.slice(0, 12) ?? "–") : ""}
      </span>
    ),
    text: (entry) => (entry.kind === "file" ? entry.file.sha256 : null),
  },
]

function actionsColumn({ canWrite, remove }: FileActions): Column<FileEntry> {
  return {
    id: "actions",
    title: "Actions",
    narrow: "end",
    width: "6rem",
    render: (entry) =>
      entry.kind === "folder" ? null : (
        <span className="actions">
          <a
            className="icon-button"
            href={entry.file.file_url}
            download={entry.name.split("/").at(-1)}
            aria-label={`Download ${entry.name}`}
            title={`Download ${entry.name}`}
          >
            <Icon name="download" />
          </a>
          {canWrite ? (
            <ConfirmButton
              label="Delete"
              icon={{ shown: <Icon name="trash" />, name: `Delete ${entry.name}` }}
              title={`Delete ${entry.path}?`}
              onConfirm={() => remove(entry.path)}
            >
              <p>
                The file is removed from this fileset for everybody. It can be restored as long as the history keeps it.
              </p>
            </ConfirmButton>
          ) : null}
        </span>
      ),
    text: () => null,
  }
}
