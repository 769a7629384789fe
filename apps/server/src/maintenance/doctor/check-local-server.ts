import { access, constants } from "node:fs/promises"
import { checkIdentityProvider } from "../../auth/open-identity-provider.ts"
import { checkNothingLost } from "../../open-settings-registry.ts"
import { findSettings, openAsGuest, type FoundFolder, type GuestRegistry, type Machine } from "./data-folder.ts"
import { type Finding, runCheck } from "./finding.ts"

/** Checks the settings, data folder, database and storage that a server started here would use. Creates nothing. */
export async function checkLocalServer(context: Machine): Promise<readonly Finding[]> {
  const { finding: settings, found } = await findSettings(context)
  if (found === undefined) return [settings]
  const { dataFolder, hasDatabase } = found
  const provider = await findProvider(context, found)
  const data = await runCheck("data", async () => {
    await access(dataFolder, constants.R_OK | constants.W_OK)
    return dataFolder
  })
  // Before the first start there is nothing to check, which is not a fault.
  if (!data.ok) return [settings, { ...data, ok: true, detail: `the first start creates ${dataFolder}` }, ...provider]
  let clock: string | undefined
  let shared: readonly Finding[] = []
  const registry = await runCheck("registry", async () => {
    if (!hasDatabase) {
      await checkNothingLost(found.settings, dataFolder)
      return "the first start creates the database"
    }
    await using opened = new AsyncDisposableStack()
    const registry = opened.adopt(await openAsGuest(context, found), (one) => one.close())
    await registry.checkReady()
    clock = await registry.checkClock()
    shared = await checkSharedDatabase(registry, found.settings.ASSAY_DATABASE_POOL)
    const lost = await registry.integrity.listUnreadableSecrets()
    if (lost.length === 0) return "the database answers and the default storage can be written"
    const detail = `${lost.length} secrets can't be read with the present encryption keys, such as ${lost[0]?.workspace}/${lost[0]?.name}: put the lost key back, or run 'assay secret discard-unreadable'.`
    return { ok: false, detail }
  })
  const clocks = clock === undefined ? [] : [{ name: "clock", ok: false, detail: clock }]
  return [settings, data, registry, ...clocks, ...shared, ...provider]
}

/** Asks the identity provider of the settings. Empty if they name none. */
async function findProvider({ now, randomBytes }: Machine, { settings }: FoundFolder): Promise<readonly Finding[]> {
  if (settings.ASSAY_AUTH !== "oidc") return []
  const answers = async () => `${await checkIdentityProvider({ settings, now, randomBytes })} answers`
  return [await runCheck("provider", answers)]
}

/** Compares the connections of a server with those that a shared database allows, and checks that notices arrive. */
async function checkSharedDatabase(registry: GuestRegistry, pool: number): Promise<readonly Finding[]> {
  const allowed = await registry.readConnectionLimit()
  if (allowed === undefined) return []
  const ok = pool <= allowed
  const limit = `the database allows ${allowed} to all servers together`
  const detail = ok
    ? `this server opens at most ${pool}; ${limit}`
    : `ASSAY_DATABASE_POOL is ${pool}, and ${limit}: lower the setting, or raise max_connections.`
  const silence = await registry.checkNotices()
  return [
    { name: "database", ok, detail },
    { name: "notices", ok: silence === undefined, detail: silence ?? "notices of the database arrive" },
  ]
}
