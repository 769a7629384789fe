import { formatInteger } from "@assay/reports"
import type { FilesetChange } from "@assay/schemas"
import { Time } from "../../../components/times/time.tsx"
import type { Column } from "../../../table/column.ts"

/** Digits of a revision that are shown. As many are enough to name it. */
const DIGITS = 10

/** Returns the first digits of an id, and any other revision unchanged. */
export function shortRevision(revision: string): string {
  return /^[0-9a-f]{40}$/.test(revision) ? revision.slice(0, DIGITS) : revision
}

function count(id: "added" | "replaced" | "deleted", title: string): Column<FilesetChange> {
  return {
    id,
    title,
    width: "6rem",
    align: "end",
    render: (change) => (change[id] === 0 ? null : formatInteger(change[id])),
    text: (change) => String(change[id]),
  }
}

/** The columns of the table of changes. */
export const HISTORY_COLUMNS: readonly Column<FilesetChange>[] = [
  {
    id: "revision",
    title: "Revision",
    narrow: "title",
    width: "8rem",
    render: ({ revision }) => <code>{shortRevision(revision)}</code>,
    text: ({ revision }) => revision,
  },
  {
    id: "when",
    title: "When",
    narrow: "end",
    width: "minmax(7rem, 1fr)",
    render: ({ ended_at }) => <Time at={ended_at} />,
    text: ({ ended_at }) => ended_at,
  },
  {
    id: "who",
    title: "Who",
    narrow: "below",
    width: "minmax(7rem, 1fr)",
    render: ({ author }) => (author === "" ? "server" : author),
    text: ({ author }) => author,
  },
  count("added", "Added"),
  count("replaced", "Replaced"),
  count("deleted", "Deleted"),
  {
    id: "title",
    title: "Title",
    narrow: "below",
    width: "minmax(10rem, 3fr)",
    render: ({ title }) => <span dir="auto">{title}</span>,
    text: ({ title }) => title,
  },
]
