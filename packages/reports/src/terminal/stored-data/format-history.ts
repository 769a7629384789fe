import {
  printable,
  type EndedVersion,
  type FilesetChange,
  type FilesetDiff,
  type FilesetHistory,
  type RestoredFileset,
} from "@assay/schemas"
import { formatBytes, formatCount } from "../../text/format-number.ts"
import { formatTime } from "../../text/format-time.ts"
import { formatTable, type Column, type Layout } from "../format-table.ts"

/** Digits of a revision that a table shows. As many are enough to name it. */
const DIGITS = 10

/** Formats a page of the history of a fileset: its changes, or the former versions of a path. */
export function formatHistory({ data, versions, kept }: FilesetHistory, layout?: Layout): string {
  const total = `${formatCount(kept.files, "former version")} kept (${formatBytes(kept.bytes)})\n`
  if (versions.length > 0) return formatVersions(versions, layout) + total
  return (data.length === 0 ? "no changes on record\n" : formatChanges(data, layout)) + total
}

function formatChanges(changes: readonly FilesetChange[], layout?: Layout): string {
  const columns: readonly Column<FilesetChange>[] = [
    { heading: "REVISION", cut: "nothing", value: ({ revision }) => revision.slice(0, DIGITS) },
    { heading: "WHEN", cut: "nothing", value: ({ ended_at }) => formatTime(ended_at, layout?.now) },
    { heading: "WHO", cut: "middle", value: ({ author }) => (author === "" ? "server" : author) },
    { heading: "CHANGED", cut: "nothing", value: changedText },
    { heading: "TITLE", drop: 1, value: ({ title }) => title },
  ]
  return formatTable(changes, columns, layout)
}

function changedText({ added, replaced, deleted }: FilesetChange): string {
  const parts = [`${added} added`, `${replaced} replaced`, `${deleted} deleted`]
  return parts.filter((part) => !part.startsWith("0 ")).join(", ")
}

function formatVersions(versions: readonly EndedVersion[], layout?: Layout): string {
  const columns: readonly Column<EndedVersion>[] = [
    { heading: "PATH", cut: "middle", value: ({ path }) => path },
    { heading: "SIZE", align: "right", value: ({ size }) => formatBytes(size) },
    { heading: "ENDED", cut: "nothing", value: ({ ended_at }) => formatTime(ended_at, layout?.now) },
    { heading: "BY", cut: "nothing", value: ({ is_deleted }) => (is_deleted ? "delete" : "write") },
    { heading: "WHO", cut: "middle", value: ({ author }) => (author === "" ? "server" : author) },
    { heading: "REVISION", cut: "nothing", value: ({ revision }) => revision.slice(0, DIGITS) },
    { heading: "BYTES", drop: 1, value: ({ gone }) => gone ?? "kept" },
  ]
  return formatTable(versions, columns, layout)
}

const SIGNS = { added: "+", removed: "-", changed: "~" } as const

/** Formats what differs between two revisions, one line for each file. */
export function formatDiff({ data, added, removed, changed }: FilesetDiff): string {
  if (added + removed + changed === 0) return "no differences\n"
  const lines = data.map(({ change, path, from_size, to_size }) => {
    const sizes = [from_size, to_size].flatMap((size) => (size === null ? [] : [formatBytes(size)])).join(" → ")
    return `${SIGNS[change]} ${printable(path)}  ${sizes}\n`
  })
  const left = added + removed + changed - data.length
  const more = left > 0 ? `… and ${left} more\n` : ""
  return `${lines.join("")}${more}${added} added, ${removed} removed, ${changed} changed\n`
}

/** Formats what a restoration did, or would do. */
export function formatRestored(restored: RestoredFileset, isDryRun: boolean): string {
  const { written, deleted, written_count, deleted_count, change } = restored
  if (written_count + deleted_count === 0) return "nothing to restore: the files are the same\n"
  const lines = [
    ...written.map(({ path, size }) => `write   ${printable(path)}  ${formatBytes(size)}\n`),
    ...deleted.map((path) => `delete  ${printable(path)}\n`),
  ]
  const left = written_count + deleted_count - lines.length
  const more = left > 0 ? `… and ${left} more\n` : ""
  const files = formatCount(written_count, "file")
  const removed = deleted_count === 0 ? "" : formatCount(deleted_count, "file")
  const end = isDryRun
    ? `would restore ${files}${removed && ` and delete ${removed}`}; nothing was changed\n`
    : `restored ${files}${removed && ` and deleted ${removed}`} as revision ${(change ?? "").slice(0, DIGITS)}\n`
  return lines.join("") + more + end
}
