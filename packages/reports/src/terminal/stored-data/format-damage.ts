import { formatBytes, formatCount } from "../../text/format-number.ts"

const SHOWN_FAULTS = 20
const SHOWN_FILES = 50

/** Formats the damage in a database with what to do. `found` has one sentence for each kind of damage. */
export function formatDatabaseDamage(found: readonly string[]): string {
  const advice = "Stop the server and restore a backup; keep the damaged folder until the restored one works."
  return [...found.slice(0, SHOWN_FAULTS), advice].join("\n")
}

/** A secret that can't be decrypted. */
export interface LostSecret {
  readonly workspace: string
  readonly name: string
  /** The encryption key that it needs. */
  readonly key_name: string
}

/** Formats secrets that can't be decrypted, with what to do. */
export function formatLostSecrets(secrets: readonly LostSecret[]): string {
  const names = secrets
    .slice(0, SHOWN_FAULTS)
    .map(({ workspace, name, key_name }) => `${workspace}/${name} (key '${key_name}')`)
  const advice = "Put the key back, or stop the server and run 'assay secret discard-unreadable'."
  return [`${formatCount(secrets.length, "secret")} can't be read:`, ...names, advice].join("\n")
}

/** Numbers of files that were compared with their digests. */
export interface CheckedFiles {
  readonly filesets: number
  readonly files: number
  readonly bytes: number
  /** Files without a digest on record. */
  readonly unverified: number
  /** Files of the read cache among `files`. */
  readonly cached: number
  /** Former versions of files. */
  readonly kept: number
}

/** A file whose bytes are missing, changed or unreadable. */
export interface DamagedFile {
  readonly kind: string
  readonly place: string
  readonly detail: string
}

/**
 * Formats a check of all files: what was read, and the damaged files.
 * @param damage damaged files in the order in which they are listed
 * @param damaged the number of all damaged files
 */
export function formatFilesCheck(
  { files, bytes, filesets, unverified, cached, kept }: CheckedFiles,
  damage: readonly DamagedFile[],
  damaged: number,
): string {
  const read = [
    `${formatCount(files, "file")} (${formatBytes(bytes)}) in ${formatCount(filesets, "fileset")} read`,
    ...(cached > 0 ? [`${formatCount(cached, "file")} of them in the read cache`] : []),
    ...(kept > 0 ? [`${formatCount(kept, "former version")} besides`] : []),
    ...(unverified > 0 ? [`${formatCount(unverified, "file")} without a digest on record`] : []),
  ].join(", ")
  if (damaged === 0) return read
  const listed = damage.slice(0, SHOWN_FILES).map(({ kind, place, detail }) => `${kind}: ${place}\n  ${detail}`)
  const rest = damaged - SHOWN_FILES
  const more = rest > 0 ? [`and ${formatCount(rest, "more", "more")}; --json lists them`] : []
  return [`${read}; ${formatCount(damaged, "file is", "files are")} damaged:`, ...listed, ...more].join("\n")
}
