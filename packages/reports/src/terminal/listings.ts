import type { AuditRecord, Fileset, Secret, Workspace } from "@assay/schemas"
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
    { heading: "FILESET", value: ({ workspace, name }) => `${workspace}/${name}` },
    { heading: "PURPOSE", value: ({ purpose }) => purpose },
    { heading: "STORAGE", value: ({ storage }) => storage.type },
    { heading: "FILES", align: "right", value: ({ usage }) => (usage ? formatInteger(usage.files) : UNKNOWN) },
    { heading: "SIZE", align: "right", value: ({ usage }) => (usage ? formatBytes(usage.bytes) : UNKNOWN) },
    { heading: "CREATED", value: ({ created_at }) => created_at },
    { heading: "DESCRIPTION", value: ({ description }) => description },
  ]
  return filesets.length === 0 ? "no filesets\n" : formatTable(filesets, columns, layout)
}

/** Formats secrets, one line each. Their values are never known. */
export function formatSecrets(secrets: readonly Secret[], layout?: Layout): string {
  const columns: readonly Column<Secret>[] = [
    { heading: "SECRET", value: ({ workspace, name }) => `${workspace}/${name}` },
    { heading: "UPDATED", value: ({ updated_at }) => updated_at },
    { heading: "DESCRIPTION", value: ({ description }) => description },
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
    { heading: "NAME", value: ({ name }) => name },
    {
      heading: "GRANTS",
      value: ({ grants }) => grants.map(({ workspace, role }) => `${role} in ${workspace}`).join(", "),
    },
    { heading: "EXPIRES", value: ({ expires_at }) => expires_at ?? "never" },
  ]
  return tokens.length === 0 ? "no tokens\n" : formatTable(tokens, columns, layout)
}

/** Formats records of writes, one line each. */
export function formatAudit(records: readonly AuditRecord[], layout?: Layout): string {
  const columns: readonly Column<AuditRecord>[] = [
    { heading: "TIME", value: ({ created_at }) => created_at },
    { heading: "TOKEN", value: ({ token_name }) => token_name },
    { heading: "ACTION", value: ({ action }) => action },
    { heading: "STATUS", value: ({ status }) => String(status) },
    { heading: "COUNT", align: "right", value: ({ count }) => formatInteger(count) },
    { heading: "WORKSPACE", value: ({ workspace }) => workspace ?? "" },
    { heading: "NAME", value: ({ name }) => name ?? "" },
  ]
  return records.length === 0 ? "no records\n" : formatTable(records, columns, layout)
}

/** Formats workspaces, one line each. */
export function formatWorkspaces(workspaces: readonly Workspace[], layout?: Layout): string {
  const columns: readonly Column<Workspace>[] = [
    { heading: "WORKSPACE", value: ({ name }) => name },
    { heading: "CREATED", value: ({ created_at }) => created_at },
    { heading: "DESCRIPTION", value: ({ description }) => description },
  ]
  return formatTable(workspaces, columns, layout)
}
