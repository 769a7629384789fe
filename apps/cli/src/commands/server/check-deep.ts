import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { compareCodePoints } from "@assay/storage"
import type { Integrity, LoadedSettings } from "@assay/server"
import type { Context } from "../../context.ts"
import { createProgressLine, formatBytes, formatCount } from "@assay/reports/terminal"
import { formatTransferProgress } from "@assay/reports/terminal/transfers"
import { find, type Finding } from "./finding.ts"

/** A damaged file, as `--json` shows it. */
export interface DamagedFile {
  readonly kind: string
  readonly place: string
  readonly detail: string
}

export interface DeepFindings {
  readonly findings: readonly Finding[]
  readonly damage: readonly DamagedFile[]
  /** Whether stored data are damaged or lost. */
  readonly isDamaged: boolean
}

/** Maximum number of damaged files to list. */
const MAX_DAMAGE = 10_000

/** Checks the database, the secrets and every file of the data folder that the settings here name. A server may be running. */
export async function checkDeep(context: Context): Promise<DeepFindings> {
  const { env, cwd, now, randomBytes } = context
  const server = await import("@assay/server")
  let loaded: LoadedSettings | undefined
  const settingsFinding = await find("settings", async () => {
    loaded = server.loadSettings({ env, cwd })
    return loaded.origins.size === 0 ? "all have their defaults" : `${[...loaded.origins.keys()].join(", ")} set`
  })
  if (loaded === undefined) return { findings: [settingsFinding], damage: [], isDamaged: false }
  const { settings } = loaded
  const dataFolder = resolve(cwd, settings.ASSAY_DATA_DIR)
  await using resources = new AsyncDisposableStack()
  let integrity: Integrity | undefined
  const opening = await find("data", async () => {
    if (settings.DATABASE_URL === undefined && !existsSync(join(dataFolder, "registry.db"))) {
      const message = `There is no database in '${dataFolder}': run this where the server runs, or name its folder with --data-dir.`
      throw new AssayError("bad_settings", message)
    }
    const logger = server.createLogger({ ...settings, ASSAY_LOG_LEVEL: "silent" }, false)
    const opened = server.openSettingsRegistry({ settings, cwd, now, randomBytes, logger }, dataFolder, { guest: true })
    integrity = resources.adopt(await opened, (one) => one.close()).integrity
    return dataFolder
  })
  if (integrity === undefined) {
    const isDamaged = /malformed|not a database/.test(opening.detail)
    return { findings: [settingsFinding, opening], damage: [], isDamaged }
  }
  const database = await checkDatabase(integrity)
  const secrets = await checkSecrets(integrity)
  const files = await checkFiles(context, integrity, await server.checkUploads(dataFolder))
  const findings = [settingsFinding, opening, database, secrets, files.finding]
  return { findings, damage: files.damage, isDamaged: !database.ok || files.damage.length > 0 }
}

function checkDatabase(integrity: Integrity): Promise<Finding> {
  return find("database", async () => {
    const found = await integrity.checkDatabase()
    if (found.length === 0) return "intact, and its counts are right"
    const advice = "Stop the server and restore a backup; keep the damaged folder until the restored one works."
    throw new AssayError("internal", [...found.slice(0, 20), advice].join("\n"))
  })
}

function checkSecrets(integrity: Integrity): Promise<Finding> {
  return find("secrets", async () => {
    const unreadable = await integrity.listUnreadableSecrets()
    if (unreadable.length === 0) return "all can be read"
    const names = unreadable
      .slice(0, 20)
      .map(({ workspace, name, key_name }) => `${workspace}/${name} (key '${key_name}')`)
    const advice = "Put the key back, or stop the server and run 'assay secret discard-unreadable'."
    throw new AssayError(
      "encryption_key_missing",
      [`${formatCount(unreadable.length, "secret")} can't be read:`, ...names, advice].join("\n"),
    )
  })
}

async function checkFiles(context: Context, integrity: Integrity, uploads: readonly DamagedFile[]) {
  const damage: DamagedFile[] = [...uploads]
  const counts = { damaged: uploads.length }
  const line = createProgressLine(context, formatTransferProgress)
  const finding = await find("files", async () => {
    const checked = await integrity
      .checkFiles({
        signal: context.signal,
        onDamage: (found) => {
          counts.damaged += 1
          if (damage.length < MAX_DAMAGE) damage.push(found)
        },
        onProgress: (progress) => line.show({ ...progress, isTotalKnown: true, movedBytes: progress.bytes }),
      })
      .finally(() => line.clear())
    const { files, bytes, filesets, unverified, cached } = checked
    const read = `${formatCount(files, "file")} (${formatBytes(bytes)}) in ${formatCount(filesets, "fileset")} read`
    const notes = [
      ...(cached > 0 ? [`${formatCount(cached, "file")} of them in the read cache`] : []),
      ...(unverified > 0 ? [`${formatCount(unverified, "file")} without a digest on record`] : []),
    ]
    const said = [read, ...notes].join(", ")
    if (counts.damaged === 0) return said
    damage.sort((a, b) => compareCodePoints(a.place, b.place))
    const listed = damage.slice(0, 50).map(({ kind, place, detail }) => `${kind}: ${place}\n  ${detail}`)
    const more =
      counts.damaged > 50 ? [`and ${formatCount(counts.damaged - 50, "more", "more")}; --json lists them`] : []
    throw new AssayError(
      "internal",
      [`${said}; ${formatCount(counts.damaged, "file is", "files are")} damaged:`, ...listed, ...more].join("\n"),
    )
  })
  context.signal.throwIfAborted()
  return { finding, damage }
}
