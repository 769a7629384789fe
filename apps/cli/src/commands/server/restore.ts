import { createReadStream } from "node:fs"
import { resolve } from "node:path"
import { createProgressLine, formatBytes, formatCount, formatRestore, restoreHints } from "@assay/reports/terminal"
import { localFailure } from "@assay/storage"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { withDataDir } from "./config.ts"

export interface RestoreCommandOptions extends JsonOption {
  readonly dataDir?: string
  readonly force?: boolean
}

/** Runs `assay restore <file>`: unpacks into an empty data folder that no server uses. Exit code 1 if the backup contains damage. */
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
  const hints = restoreHints(report.manifest, dataFolder, {
    hasDatabaseUrl: settings.DATABASE_URL !== undefined,
    hasDefaultStorage: settings.ASSAY_DEFAULT_STORAGE !== undefined,
    hasTokensFile: settings.ASSAY_TOKENS_FILE !== undefined,
  })
  await print(context, options, { data_folder: dataFolder, ...report, hints }, () =>
    formatRestore(report, dataFolder, hints),
  )
  return report.damage.length > 0 ? EXIT.no : EXIT.done
}

async function* readFile(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of createReadStream(file)) yield piece as Uint8Array
  } catch (error) {
    throw localFailure(error, "read", file)
  }
}
