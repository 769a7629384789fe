import { type DamagedFile, formatDatabaseDamage, formatFilesCheck, formatLostSecrets } from "@assay/reports/terminal"
import type { Integrity } from "@assay/registry"
import { AssayError } from "@assay/schemas"
import { compareCodePoints } from "@assay/storage"
import { checkNothingLost } from "../../open-settings-registry.ts"
import { findSettings, type Machine, openAsGuest } from "./data-folder.ts"
import { type Finding, runCheck } from "./finding.ts"

export interface DeepFindings {
  readonly findings: readonly Finding[]
  readonly damage: readonly DamagedFile[]
  /** Whether stored data are damaged or lost. */
  readonly isDamaged: boolean
}

/** Maximum number of damaged files to list. */
const MAX_DAMAGE = 10_000

export type DeepOptions = Pick<Parameters<Integrity["checkFiles"]>[0], "onProgress" | "signal">

/** Checks the database, the secrets and every file of the data folder that the settings here name. A server may be running. */
export async function checkDeep(machine: Machine, options: DeepOptions): Promise<DeepFindings> {
  const { finding: settings, found } = await findSettings(machine)
  if (found === undefined) return { findings: [settings], damage: [], isDamaged: false }
  const { dataFolder, hasDatabase } = found
  await using resources = new AsyncDisposableStack()
  let integrity: Integrity | undefined
  const opening = await runCheck("data", async () => {
    if (!hasDatabase) {
      await checkNothingLost(found.settings, dataFolder)
      const message = `There is no database in '${dataFolder}': run this where the server runs, or name its folder with --data-dir.`
      throw new AssayError("bad_settings", message)
    }
    integrity = resources.adopt(await openAsGuest(machine, found), (one) => one.close()).integrity
    return dataFolder
  })
  if (integrity === undefined) {
    const isDamaged = /is lost|is missing|malformed|not a database/.test(opening.detail)
    return { findings: [settings, opening], damage: [], isDamaged }
  }
  const database = await checkDatabase(integrity)
  const secrets = await checkSecrets(integrity)
  const storage = await checkStorage(integrity)
  const files = await checkFiles(integrity, options)
  const findings = [settings, opening, database, secrets, storage, files.finding]
  return { findings, damage: files.damage, isDamaged: !database.ok || files.damage.length > 0 }
}

function checkDatabase(integrity: Integrity): Promise<Finding> {
  return runCheck("database", async () => {
    const found = await integrity.checkDatabase()
    const ok = found.length === 0
    return { ok, detail: ok ? "intact, and its counts are right" : formatDatabaseDamage(found) }
  })
}

function checkSecrets(integrity: Integrity): Promise<Finding> {
  return runCheck("secrets", async () => {
    const lost = await integrity.listUnreadableSecrets()
    const ok = lost.length === 0
    return { ok, detail: ok ? "all can be read" : formatLostSecrets(lost) }
  })
}

function checkStorage(integrity: Integrity): Promise<Finding> {
  return runCheck("storage", async () => {
    await integrity.checkStorageId()
    return "the one of this database"
  })
}

async function checkFiles(integrity: Integrity, options: DeepOptions) {
  const damage: DamagedFile[] = []
  let damaged = 0
  const finding = await runCheck("files", async () => {
    const checked = await integrity.checkFiles({
      ...options,
      onDamage: (found) => {
        damaged += 1
        if (damage.length < MAX_DAMAGE) damage.push(found)
      },
    })
    damage.sort((a, b) => compareCodePoints(a.place, b.place))
    return { ok: damaged === 0, detail: formatFilesCheck(checked, damage, damaged) }
  })
  options.signal.throwIfAborted()
  return { finding, damage }
}
