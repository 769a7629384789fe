import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import type { BackupReport } from "@assay/server"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { createProgressLine, formatBytes, formatCount, formatDuration, formatJson } from "@assay/reports/terminal"
import { formatTransferProgress } from "@assay/reports/terminal/transfers"
import { writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { withDataDir } from "./config.ts"

export interface BackupCommandOptions extends JsonOption {
  readonly withKeys?: boolean
  readonly dataDir?: string
  readonly force?: boolean
}

/** Maximum number of damaged files to list. `--json` lists all. */
const MAX_SHOWN = 20

/** `assay backup <file>`: exit code 1 if it found damage, 2 if a part of the server must be backed up separately. */
export async function backup(context: Context, file: string, options: BackupCommandOptions): Promise<ExitCode> {
  const { cwd, now, randomBytes, signal, stdout, stderr } = context
  const server = await import("@assay/server")
  const { settings } = server.loadSettings({ env: withDataDir(context.env, options.dataDir), cwd })
  const path = file === "-" ? undefined : resolve(cwd, file)
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
      : formatReport(report, path ?? "stdout", now() - begun)
  // The archive itself may go to stdout.
  await writeText(path === undefined ? stderr : stdout, text)
  if (report.damage.length > 0) return EXIT.no
  return report.missing.length > 0 ? EXIT.fixable : EXIT.done
}

function formatReport({ manifest, missing, damage, skipped }: BackupReport, where: string, elapsed: number): string {
  const { files, bytes, filesets, secrets, keys, database, not_included } = manifest
  const lines = [
    `backed up ${formatCount(filesets, "fileset")} with ${formatCount(files, "file")} (${formatBytes(bytes)}) to ${where} in ${formatDuration(elapsed)}`,
  ]
  if (keys) lines.push("It contains the encryption keys: anyone with this file can read every secret. Keep it safe.")
  else if (database && secrets > 0) {
    const count = formatCount(secrets, "secret")
    lines.push(
      `It contains ${count}, but not the encryption keys that can decrypt them: back the keys up separately, or add --with-keys.`,
    )
  }
  for (const part of not_included.filter((one) => !missing.includes(one))) lines.push(`Not in the backup: ${part}`)
  if (skipped > 0)
    lines.push(`Not in the backup: ${formatCount(skipped, "link or device", "links and devices")} in filesets.`)
  if (missing.length > 0) lines.push("", "This backup is NOT complete:", ...missing.map((part) => `  ${part}`))
  if (damage.length > 0) {
    lines.push(
      "",
      `${formatCount(damage.length, "item is", "items are")} damaged, and the backup contains the damaged state:`,
    )
    lines.push(...damage.slice(0, MAX_SHOWN).map((found) => `  ${found}`))
    if (damage.length > MAX_SHOWN)
      lines.push(`  and ${formatCount(damage.length - MAX_SHOWN, "more", "more")}; --json lists them`)
    lines.push("  Keep an older backup until they are repaired; 'assay doctor --deep' checks again.")
  }
  return `${lines.join("\n")}\n`
}
