import { resolve } from "node:path"
import { openDataFolder } from "@assay/backup"
import { openEncryptionKeys, openSecretsRepair, type SecretsRepair } from "@assay/registry"
import { databaseOf } from "../open-settings-registry.ts"
import type { ServerContext } from "../server-context.ts"

/**
 * Opens the secrets of a stopped server, to discard those that no key can unseal. It never creates a key.
 * @throws `bad_settings` while a server uses the data folder
 */
export async function openSettingsRepair(
  context: Pick<ServerContext, "settings" | "cwd" | "randomBytes">,
): Promise<SecretsRepair> {
  const { settings, cwd, randomBytes } = context
  const dataFolder = resolve(cwd, settings.ASSAY_DATA_DIR)
  using resources = new DisposableStack()
  resources.use(openDataFolder(dataFolder))
  const { keys } = openEncryptionKeys(settings.ASSAY_ENCRYPTION_KEYS, dataFolder, randomBytes)
  const repair = await openSecretsRepair({
    database: databaseOf(settings, dataFolder),
    encryptionKeys: keys,
    randomBytes,
  })
  const held = resources.move()
  return {
    ...repair,
    async close() {
      await repair.close()
      held.dispose()
    },
  }
}
