export {
  formatBackup,
  formatRestore,
  restoreHints,
  type BackupContent,
  type RestoredBackup,
  type RestoreSettings,
  type WrittenBackup,
} from "./stored-data/format-backup.ts"
export {
  formatDatabaseDamage,
  formatFilesCheck,
  formatLostSecrets,
  type CheckedFiles,
  type DamagedFile,
  type LostSecret,
} from "./stored-data/format-integrity.ts"
