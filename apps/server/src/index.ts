export {
  openFileOutput,
  openStreamOutput,
  restoreBackup,
  type BackupManifest,
  type BackupOptions,
  type BackupOutput,
  type BackupReport,
  type RestoreOptions,
  type RestoreReport,
} from "@assay/backup"
export { createToken } from "@assay/access"
export { createLogger } from "./logger.ts"
export { checkDeep } from "./maintenance/doctor/check-deep.ts"
export { checkLocalServer } from "./maintenance/doctor/check-local-server.ts"
export { checkModes } from "./maintenance/doctor/data-folder.ts"
export { type Finding, runCheck } from "./maintenance/doctor/finding.ts"
export { findFolderTokens, type FolderTokens } from "./maintenance/folder-tokens.ts"
export { migrateServer } from "./maintenance/migrate-server.ts"
export { writeBackup } from "./maintenance/write-backup.ts"
export { openSettingsRepair } from "./maintenance/open-settings-repair.ts"
export { databaseOf } from "./open-settings-registry.ts"
export { serve, type RunningServer } from "./serve.ts"
export type { ServerContext } from "./server-context.ts"
export { forgetSecrets } from "./settings/read-setting-sources.ts"
export { describeSettings, loadSettings, type DescribedSetting, type LoadedSettings } from "./settings/load-settings.ts"
export { SettingsSchema, type SettingName, type Settings } from "./settings/settings-schema.ts"
export { stopOnSignals } from "./stop-on-signals.ts"
export { welcome } from "./welcome.ts"
