import { existsSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { createProgressLine, formatBackup, formatJson, formatTransferProgress } from "@assay/reports/terminal"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { withDataDir } from "./config.ts"

export interface BackupCommandOptions extends JsonOption {
  readonly withKeys?: boolean
  readonly dataDir?: string
  readonly force?: boolean
}

/** Runs `assay backup <file>`: exit code 1 if it found damage, 2 if a part of the server must be backed up separately. */
export async function backup(context: Context, file: string, options: BackupCommandOptions): Promise<ExitCode> {
  const { cwd, now, randomBytes, signal, stdout, stderr } = context
  const server = await import("@assay/server")
  const { settings } = server.loadSettings({ env: withDataDir(context.env, options.dataDir), cwd })
  const path = file === "-" ? undefined : resolve(cwd, file)
  if (path !== undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    const message = `'${path}' is a folder: name the file to write, such as '${join(path, "backup.tar.zst")}'.`
    throw new AssayError("bad_usage", message)
  }
  if (path !== undefined && existsSync(path) && options.force !== true) {
    throw new AssayError("bad_usage", `'${path}' exists already: choose another name, or add --force to replace it.`)
  }
  const output = path === undefined ? server.openStreamOutput(stdout) : server.openFileOutput(path)
  const line = createProgressLine(context, formatTransferProgress)
  const begun = now()
  const report = await server
    .writeBackup(
      { settings, cwd, now, randomBytes },
      {
        output,
        withKeys: options.withKeys === true,
        signal,
        onProgress: (progress) => line.show({ ...progress, isTotalKnown: true, movedBytes: progress.bytes }),
      },
    )
    .finally(() => line.clear())
  const text =
    options.json === true
      ? formatJson({ file: path ?? null, ...report })
      : formatBackup(report, path ?? "stdout", now() - begun)
  // The archive itself may go to stdout.
  await writeText(path === undefined ? stderr : stdout, text)
  if (report.damage.length > 0) return EXIT.no
  return report.missing.length > 0 ? EXIT.fixable : EXIT.done
}
