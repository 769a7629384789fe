import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { type BackupOptions, type BackupReport, writeBackup as writeBackupOf } from "@assay/backup"
import { ENCRYPTION_KEYS_FILE, openEncryptionKeys } from "@assay/registry"
import { databaseOf } from "../open-settings-registry.ts"
import type { ServerContext } from "../server-context.ts"
import { readVersion } from "../version.ts"
import { localStorageFolder, tokensFile } from "../settings/settings-paths.ts"

/**
 * Writes a backup of the server with these settings. The server may be running.
 * @throws `bad_settings`, `disk_full`, `local_file_failed`; the output is then as it was before
 */
export async function writeBackup(
  context: Pick<ServerContext, "settings" | "cwd" | "now" | "randomBytes">,
  options: BackupOptions,
): Promise<BackupReport> {
  const { settings, cwd, now, randomBytes } = context
  const dataFolder = resolve(cwd, settings.ASSAY_DATA_DIR)

  function encryptionKeys() {
    const given = settings.ASSAY_ENCRYPTION_KEYS
    if (given.length === 0 && !existsSync(join(dataFolder, ENCRYPTION_KEYS_FILE))) return undefined
    return openEncryptionKeys(given, dataFolder, randomBytes).keys
  }

  const source = {
    dataFolder,
    database: databaseOf(settings, dataFolder),
    storageFolder: localStorageFolder(settings, dataFolder),
    tokensFile: tokensFile(settings, cwd),
    encryptionKeys,
    version: readVersion(),
    now,
  }
  return writeBackupOf(source, options)
}
