import { createReadStream } from "node:fs"
import { resolve } from "node:path"
import type { RestoreReport } from "@assay/server"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { createProgressLine, formatBytes, formatCount } from "@assay/reports/terminal"
import { localFailure } from "@assay/storage/paths"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { withDataDir } from "./config.ts"

export interface RestoreCommandOptions extends JsonOption {
  readonly dataDir?: string
  readonly force?: boolean
}

/** `assay restore <file>`: restores into an empty data folder that no server uses. Exit code 1 if the backup contains damage. */
export async function restore(context: Context, file: string, options: RestoreCommandOptions): Promise<ExitCode> {
  const { cwd, now, signal, stdin } = context
  const server = await import("@assay/server")
  const { settings } = server.loadSettings({ env: withDataDir(context.env, options.dataDir), cwd })
  const dataFolder = resolve(cwd, settings.ASSAY_DATA_DIR)
  const archive = file === "-" ? stdin : readFile(resolve(cwd, file))
  const line = createProgressLine<{ files: number; bytes: number }>(
    context,
    ({ files, bytes }, elapsed) =>
      `${formatCount(files, "file")}  ${formatBytes(bytes)}  ${formatBytes(elapsed > 0 ? Math.round((bytes / elapsed) * 1000) : 0)}/s`,
  )
  const report = await server
    .restoreBackup(archive, {
      dataFolder,
      force: options.force === true,
      now,
      signal,
      onProgress: (progress) => line.show(progress),
    })
    .finally(() => line.clear())
  const hints = [
    ...databaseHints(settings.DATABASE_URL !== undefined, report.manifest.database),
    ...(settings.ASSAY_DEFAULT_STORAGE === undefined
      ? []
      : [
          `ASSAY_DEFAULT_STORAGE is set: the restored files are in '${dataFolder}/storage'. Move them to that storage, or unset the setting.`,
        ]),
    ...(settings.ASSAY_TOKENS_FILE === undefined || !report.manifest.tokens
      ? []
      : [
          `ASSAY_TOKENS_FILE is set: the restored tokens are in '${dataFolder}/tokens.json'. Move them to that file, or unset the setting.`,
        ]),
  ]
  await print(context, options, { data_folder: dataFolder, ...report, hints }, () =>
    formatReport(report, dataFolder, hints),
  )
  return report.damage.length > 0 ? EXIT.no : EXIT.done
}

/** Says what to do if the server and the backup store records in different databases. */
function databaseHints(isPostgres: boolean, hasRecords: boolean): readonly string[] {
  if (isPostgres && hasRecords) {
    return [
      "DATABASE_URL is set: the restored records are in 'registry.db' of the data folder, which a server with DATABASE_URL does not read. Unset it.",
    ]
  }
  if (isPostgres || hasRecords) return []
  return [
    "The backup contains no records: restore its PostgreSQL database and set DATABASE_URL before a server starts. Without it, a server starts with an empty database.",
  ]
}

async function* readFile(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of createReadStream(file)) yield piece as Uint8Array
  } catch (error) {
    throw localFailure(error, "read", file)
  }
}

function formatReport(
  { manifest, before, damage }: RestoreReport,
  dataFolder: string,
  hints: readonly string[],
): string {
  const { files, bytes, filesets, created_at, secrets, keys, not_included } = manifest
  const lines = [
    `restored ${formatCount(filesets, "fileset")} with ${formatCount(files, "file")} (${formatBytes(bytes)}) of ${created_at} to ${dataFolder}`,
  ]
  if (before !== undefined) lines.push(`The previous content is in ${before}.`)
  if (secrets > 0 && !keys) {
    lines.push(
      `It contains ${formatCount(secrets, "secret")} but no encryption keys: put the file 'encryption-keys' of that time into ${dataFolder}, or set ASSAY_ENCRYPTION_KEYS.`,
    )
  }
  lines.push(...not_included.map((part) => `Not in the backup: ${part}`), ...hints)
  if (damage.length > 0)
    lines.push("The database was damaged when it was backed up:", ...damage.map((one) => `  ${one}`))
  lines.push(`Check every file with: ASSAY_DATA_DIR='${dataFolder}' assay doctor --deep`)
  return `${lines.join("\n")}\n`
}
