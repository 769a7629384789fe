export {
  formatBackup,
  formatRestore,
  restoreHints,
  type BackupContent,
  type RestoredBackup,
  type RestoreSettings,
  type WrittenBackup,
} from "./stored-data/backup.ts"
export {
  formatDatabaseDamage,
  formatFilesCheck,
  formatLostSecrets,
  type CheckedFiles,
  type DamagedFile,
  type LostSecret,
} from "./stored-data/integrity.ts"
