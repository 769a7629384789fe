import { resolve } from "node:path"
import { openBoss } from "@assay/jobs"
import { migrateDatabase } from "@assay/database"
import { openDataFolder } from "@assay/backup"
import { databaseOf } from "../open-settings-registry.ts"
import type { ServerContext } from "../server-context.ts"

/**
 * Migrates the database of the server with these settings, and the tables of its queue. Servers on a shared database may be
 * running.
 * @param isCheck only looks
 * @returns the names of the migrations that it ran, or that are missing if it only looked; oldest first
 * @throws `bad_settings`, also if a server is using the data folder of an embedded database
 */
export async function migrateServer(
  { settings, cwd }: Pick<ServerContext, "settings" | "cwd">,
  { isCheck }: { readonly isCheck: boolean },
): Promise<readonly string[]> {
  const dataFolder = resolve(cwd, settings.ASSAY_DATA_DIR)
  const database = databaseOf(settings, dataFolder)
  await using resources = new AsyncDisposableStack()
  if (database.kind === "sqlite" && !isCheck) resources.use(openDataFolder(dataFolder))
  return migrateDatabase(database, {
    isCheck,
    async prepareShared(shared) {
      const boss = await openBoss(shared, () => {})
      await boss.stop({ graceful: false })
    },
  })
}
