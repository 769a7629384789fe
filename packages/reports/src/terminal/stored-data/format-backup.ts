import { formatBytes, formatCount, formatDuration } from "../../text/format-number.ts"

/** The contents of a backup. */
export interface BackupContent {
  readonly created_at: string
  /** Whether it contains the records, the encryption keys and the tokens. */
  readonly database: boolean
  readonly keys: boolean
  readonly tokens: boolean
  readonly secrets: number
  readonly filesets: number
  /** Sentences about data that is stored elsewhere. */
  readonly not_included: readonly string[]
}

/** The files of the filesets in a backup, without those of the server. */
interface FilesetFiles {
  readonly files: number
  readonly bytes: number
}

/** A backup that was written. */
export interface WrittenBackup {
  readonly manifest: BackupContent
  readonly filesets: FilesetFiles
  /** Parts of the server that must be backed up separately. */
  readonly missing: readonly string[]
  readonly damage: readonly string[]
  /** Number of links and devices, which no backup contains. */
  readonly skipped: number
}

/** Maximum number of damaged files to list. `--json` lists all. */
const MAX_SHOWN = 20

/**
 * Formats a backup for people: what it contains, and what it does not.
 * @param location where the archive is
 * @param elapsed milliseconds
 */
export function formatBackup(
  { manifest, filesets, missing, damage, skipped }: WrittenBackup,
  location: string,
  elapsed: number,
): string {
  const { secrets, keys, database, not_included } = manifest
  const lines = [`backed up ${contentOf(manifest, filesets)} to ${location} in ${formatDuration(elapsed)}`]
  if (keys) lines.push("It contains the encryption keys: anyone with this file can read every secret. Keep it safe.")
  else if (database && secrets > 0) {
    const count = formatCount(secrets, "secret")
    lines.push(
      `It contains ${count}, but not the encryption keys that can decrypt them: back the keys up separately, or add --with-keys.`,
    )
  }
  for (const part of not_included.filter((one) => !missing.includes(one))) lines.push(`Not in the backup: ${part}`)
  if (skipped > 0) {
    lines.push(`Not in the backup: ${formatCount(skipped, "link or device", "links and devices")} in filesets.`)
  }
  if (missing.length > 0) lines.push("", "This backup is NOT complete:", ...missing.map((part) => `  ${part}`))
  if (damage.length > 0) lines.push("", ...damageLines(damage))
  return `${lines.join("\n")}\n`
}

function contentOf({ filesets }: BackupContent, { files, bytes }: FilesetFiles): string {
  return `${formatCount(filesets, "fileset")} with ${formatCount(files, "file")} (${formatBytes(bytes)})`
}

function damageLines(damage: readonly string[]): readonly string[] {
  const rest = damage.length - MAX_SHOWN
  return [
    `${formatCount(damage.length, "item is", "items are")} damaged, and the backup contains the damaged state:`,
    ...damage.slice(0, MAX_SHOWN).map((found) => `  ${found}`),
    ...(rest > 0 ? [`  and ${formatCount(rest, "more", "more")}; --json lists them`] : []),
    "  Keep an older backup until they are repaired; 'assay doctor --deep' checks again.",
  ]
}

/** A backup that was restored. */
export interface RestoredBackup {
  readonly manifest: BackupContent
  readonly filesets: FilesetFiles
  /** The folder with the earlier contents of the data folder. Undefined if it was empty. */
  readonly before: string | undefined
  readonly damage: readonly string[]
}

/** The settings that decide where the server reads what a backup contains. */
export interface RestoreSettings {
  readonly hasDatabaseUrl: boolean
  readonly hasDefaultStorage: boolean
  readonly hasTokensFile: boolean
}

/** Says what to do if a server with these settings would not read the restored data. */
export function restoreHints(
  { database, tokens }: BackupContent,
  dataFolder: string,
  { hasDatabaseUrl, hasDefaultStorage, hasTokensFile }: RestoreSettings,
): readonly string[] {
  const hints: string[] = []
  if (hasDatabaseUrl && database) {
    hints.push(
      "DATABASE_URL is set: the restored records are in 'registry.db' of the data folder, which a server with DATABASE_URL does not read. Unset it.",
    )
  }
  if (!hasDatabaseUrl && !database) {
    hints.push(
      "The backup contains no records: restore its PostgreSQL database and set DATABASE_URL before a server starts. Without it, a server starts with an empty database.",
    )
  }
  if (hasDefaultStorage) {
    hints.push(
      `ASSAY_DEFAULT_STORAGE is set: the restored files are in '${dataFolder}/storage'. Move them to that storage, or unset the setting.`,
    )
  }
  if (hasTokensFile && tokens) {
    hints.push(
      `ASSAY_TOKENS_FILE is set: the restored tokens are in '${dataFolder}/tokens.json'. Move them to that file, or unset the setting.`,
    )
  }
  return hints
}

/** Formats a restored backup for people: what is where, what is missing, and what to do next. */
export function formatRestore(
  { manifest, filesets, before, damage }: RestoredBackup,
  dataFolder: string,
  hints: readonly string[],
): string {
  const { created_at, secrets, keys, not_included } = manifest
  const lines = [`restored ${contentOf(manifest, filesets)} of ${created_at} to ${dataFolder}`]
  if (before !== undefined) lines.push(`The previous content is in ${before}.`)
  if (secrets > 0 && !keys) {
    lines.push(
      `It contains ${formatCount(secrets, "secret")} but no encryption keys: put the file 'encryption-keys' of that time into ${dataFolder}, or set ASSAY_ENCRYPTION_KEYS.`,
    )
  }
  lines.push(...not_included.map((part) => `Not in the backup: ${part}`), ...hints)
  if (damage.length > 0) {
    lines.push("The database was damaged when it was backed up:", ...damage.map((one) => `  ${one}`))
  }
  lines.push(`Check every file with: ASSAY_DATA_DIR='${dataFolder}' assay doctor --deep`)
  return `${lines.join("\n")}\n`
}
