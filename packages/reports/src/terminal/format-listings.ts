import type { AuditRecord, Fileset, Secret, TrashEntry, Workspace } from "@assay/schemas"
import { formatTime } from "../text/format-time.ts"
import { formatBytes, formatInteger } from "../text/format-number.ts"
import { formatTable, type Column, type Layout } from "./format-table.ts"

/** A token without its value. */
export interface ShownToken {
  readonly id: string
  readonly name: string
  readonly grants: readonly { readonly workspace: string; readonly role: string }[]
  /** Null if it never expires. */
  readonly expires_at: string | null
}

/** A secret whose encryption key is missing. */
export interface ShownUnreadableSecret {
  readonly workspace: string
  readonly name: string
  readonly key_name: string
}

const UNKNOWN = "–"

/** Formats filesets, one line each. */
export function formatFilesets(filesets: readonly Fileset[], layout?: Layout): string {
  const columns: readonly Column<Fileset>[] = [
    { heading: "FILESET", cut: "middle", value: ({ workspace, name }) => `${workspace}/${name}` },
    { heading: "PURPOSE", cut: "nothing", value: ({ purpose }) => purpose },
    { heading: "STORAGE", drop: 2, value: ({ storage }) => storage.type },
    { heading: "FILES", align: "right", value: ({ usage }) => (usage ? formatInteger(usage.files) : UNKNOWN) },
    { heading: "SIZE", align: "right", value: ({ usage }) => (usage ? formatBytes(usage.bytes) : UNKNOWN) },
    { heading: "CREATED", cut: "nothing", value: ({ created_at }) => formatTime(created_at, layout?.now) },
    { heading: "DESCRIPTION", drop: 1, value: ({ description }) => description },
  ]
  return filesets.length === 0 ? "no filesets\n" : formatTable(filesets, columns, layout)
}

/** Formats deleted filesets and jobs, one line each. */
export function formatTrash(entries: readonly TrashEntry[], layout?: Layout): string {
  const columns: readonly Column<TrashEntry>[] = [
    { heading: "NAME", cut: "middle", value: ({ workspace, name }) => `${workspace}/${name}` },
    { heading: "KIND", cut: "nothing", value: ({ kind }) => kind },
    { heading: "SIZE", align: "right", value: ({ bytes }) => (bytes === null ? UNKNOWN : formatBytes(bytes)) },
    { heading: "DELETED", cut: "nothing", value: ({ removed_at }) => formatTime(removed_at, layout?.now) },
    { heading: "BY", drop: 1, value: ({ removed_by }) => removed_by },
    { heading: "GONE FOR GOOD", cut: "nothing", value: ({ removed_until }) => removed_until },
  ]
  return entries.length === 0 ? "the trash is empty\n" : formatTable(entries, columns, layout)
}

/** Formats secrets, one line each. Their values are never known. */
export function formatSecrets(secrets: readonly Secret[], layout?: Layout): string {
  const columns: readonly Column<Secret>[] = [
    { heading: "SECRET", cut: "middle", value: ({ workspace, name }) => `${workspace}/${name}` },
    { heading: "UPDATED", cut: "nothing", value: ({ updated_at }) => formatTime(updated_at, layout?.now) },
    { heading: "DESCRIPTION", drop: 1, value: ({ description }) => description },
  ]
  return secrets.length === 0 ? "no secrets\n" : formatTable(secrets, columns, layout)
}

/** Formats secrets whose encryption key is missing, one line each. */
export function formatUnreadableSecrets(secrets: readonly ShownUnreadableSecret[]): string {
  const columns: readonly Column<ShownUnreadableSecret>[] = [
    { heading: "SECRET", value: ({ workspace, name }) => `${workspace}/${name}` },
    { heading: "NEEDS KEY", value: ({ key_name }) => key_name },
  ]
  return secrets.length === 0 ? "every secret can be read\n" : formatTable(secrets, columns)
}

/** Formats tokens, one line each. */
export function formatTokens(tokens: readonly ShownToken[], layout?: Layout): string {
  const columns: readonly Column<ShownToken>[] = [
    { heading: "ID", value: ({ id }) => id },
    { heading: "NAME", cut: "middle", value: ({ name }) => name },
    {
      heading: "GRANTS",
      value: ({ grants }) => grants.map(({ workspace, role }) => `${role} in ${workspace}`).join(", "),
    },
    {
      heading: "EXPIRES",
      cut: "nothing",
      value: ({ expires_at }) => (expires_at === null ? "never" : formatTime(expires_at, layout?.now)),
    },
  ]
  return tokens.length === 0 ? "no tokens\n" : formatTable(tokens, columns, layout)
}

/** Formats records of writes, one line each. */
export function formatAudit(records: readonly AuditRecord[], layout?: Layout): string {
  const columns: readonly Column<AuditRecord>[] = [
    { heading: "TIME", value: ({ created_at }) => formatTime(created_at, layout?.now) },
    { heading: "WHO", cut: "middle", value: ({ token_name }) => token_name },
    {
      heading: "FROM",
      cut: "nothing",
      drop: 2,
      value: ({ address, door }) => [door, address].filter((part) => part !== null).join(" "),
    },
    { heading: "ACTION", cut: "middle", value: ({ action }) => action },
    { heading: "STATUS", cut: "nothing", value: ({ status }) => String(status) },
    { heading: "COUNT", align: "right", value: ({ count }) => formatInteger(count) },
    { heading: "WORKSPACE", drop: 1, cut: "middle", value: ({ workspace }) => workspace ?? "" },
    { heading: "NAME", cut: "middle", value: ({ name }) => name ?? "" },
  ]
  return records.length === 0 ? "no records\n" : formatTable(records, columns, layout)
}

/** Formats workspaces, one line each. */
export function formatWorkspaces(workspaces: readonly Workspace[], layout?: Layout): string {
  const columns: readonly Column<Workspace>[] = [
    { heading: "WORKSPACE", cut: "middle", value: ({ name }) => name },
    { heading: "CREATED", cut: "nothing", value: ({ created_at }) => formatTime(created_at, layout?.now) },
    { heading: "DESCRIPTION", drop: 1, value: ({ description }) => description },
  ]
  return formatTable(workspaces, columns, layout)
}
