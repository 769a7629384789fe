import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import type { BackupReport } from "@assay/server"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { formatBytes } from "../../output/format-bytes.ts"
import { formatCount } from "../../output/format-count.ts"
import { formatDuration } from "../../output/format-duration.ts"
import { formatJson } from "../../output/format-json.ts"
import { createProgressLine, formatProgress } from "../../output/progress-line.ts"
import { writeText } from "../../output/write-text.ts"
import type { JsonOption } from "../action.ts"
import { withDataDir } from "./with-data-dir.ts"

export interface BackupCommandOptions extends JsonOption {
  readonly withKeys?: boolean
  readonly dataDir?: string
  readonly force?: boolean
}

/** Damaged files that are listed for people; all are in the JSON. */
const MAX_SHOWN = 20

/** `assay backup <file>`: exit code 1 where it found damage, 2 where a part of the server has to be backed up elsewhere. */
export async function backup(context: Context, file: string, options: BackupCommandOptions): Promise<ExitCode> {
  const { cwd, now, randomBytes, signal, stdout, stderr } = context
  const server = await import("@assay/server")
  const { settings } = server.loadSettings({ env: withDataDir(context.env, options.dataDir), cwd })
  const path = file === "-" ? undefined : resolve(cwd, file)
  if (path !== undefined && existsSync(path) && options.force !== true) {
    throw new AssayError("bad_usage", `'${path}' is there already: choose another name, or add --force to replace it.`)
  }
  const output = path === undefined ? server.openStreamOutput(stdout) : server.openFileOutput(path)
  const line = createProgressLine(context, formatProgress)
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
  // The archive itself may be on stdout.
  await writeText(path === undefined ? stderr : stdout, text)
  if (report.damage.length > 0) return EXIT.no
  return report.missing.length > 0 ? EXIT.fixable : EXIT.done
}

function formatReport({ manifest, missing, damage, skipped }: BackupReport, where: string, elapsed: number): string {
  const { files, bytes, filesets, secrets, keys, database, not_included } = manifest
  const lines = [
    `backed up ${formatCount(filesets, "fileset")} with ${formatCount(files, "file")} (${formatBytes(bytes)}) to ${where} in ${formatDuration(elapsed)}`,
  ]
  if (keys) lines.push("It holds the encryption keys: whoever has this file can read every secret. Keep it safe.")
  else if (database && secrets > 0) {
    const count = formatCount(secrets, "secret")
    lines.push(
      `It holds ${count} and not the encryption keys, without which they can't be read: back the keys up apart from it, or add --with-keys.`,
    )
  }
  for (const part of not_included.filter((one) => !missing.includes(one))) lines.push(`Not in the backup: ${part}`)
  if (skipped > 0)
    lines.push(`Not in the backup: ${formatCount(skipped, "link or device", "links and devices")} in filesets.`)
  if (missing.length > 0) lines.push("", "This backup is NOT whole:", ...missing.map((part) => `  ${part}`))
  if (damage.length > 0) {
    lines.push("", `${formatCount(damage.length, "thing is", "things are")} damaged, and in the backup as they are:`)
    lines.push(...damage.slice(0, MAX_SHOWN).map((found) => `  ${found}`))
    if (damage.length > MAX_SHOWN)
      lines.push(`  and ${formatCount(damage.length - MAX_SHOWN, "more", "more")}; --json lists them`)
    lines.push("  Keep an older backup until they are mended; 'assay doctor --deep' looks again.")
  }
  return `${lines.join("\n")}\n`
}
