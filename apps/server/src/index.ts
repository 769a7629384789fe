export { type RegistryIntegrity, type UnreadableSecret } from "@assay/registry"
export {
  openFileOutput,
  openStreamOutput,
  restoreBackup,
  type BackupManifest,
  type BackupOptions,
  type BackupOutput,
  type BackupReport,
  type LooseMode,
  type RestoreOptions,
  type RestoreReport,
} from "@assay/backup"
export {
  createToken,
  listTokens,
  revokeToken,
  type CreateToken,
  type TokenContext,
  type TokenRecord,
} from "@assay/access"
export { openAccessKeys } from "./auth/open-access-keys.ts"
export { checkIdentityProvider } from "./auth/open-identity-provider.ts"
export { createLogger } from "./logger.ts"
export { migrateServer } from "./maintenance/migrate-server.ts"
export { writeBackup } from "./maintenance/write-backup.ts"
export { looseModesOf, tokensFile } from "./maintenance/settings-paths.ts"
export { openSettingsRepair } from "./maintenance/open-settings-repair.ts"
export { createIdMaker } from "./new-id.ts"
export { checkNothingLost, databaseOf, openSettingsRegistry } from "./open-settings-registry.ts"
export { serve, type RunningServer } from "./serve.ts"
export type { ServerContext } from "./server-context.ts"
export { forgetSecrets } from "./settings/read-setting-sources.ts"
export { describeSettings, loadSettings, type DescribedSetting, type LoadedSettings } from "./settings/load-settings.ts"
export { SettingsSchema, type SettingName, type Settings } from "./settings/settings-schema.ts"
export { stopOnSignals } from "./stop-on-signals.ts"
export { welcome } from "./welcome.ts"
