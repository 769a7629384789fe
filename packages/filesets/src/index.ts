export type { ReadCacheSettings } from "./cache/open-read-cache.ts"
export { isBrowsing } from "./files/browse-files.ts"
export { createDigestIndexes } from "./files/digest-indexes.ts"
export type { Files, WritableFileset } from "./files/files.ts"
export type { FileListing } from "./files/share-listings.ts"
export type { ResultsFilesetBody, StagedResults } from "./files/staged-results.ts"
export type { FilesetsContext } from "./filesets-context.ts"
export type { FilesetsOptions } from "./filesets-options.ts"
export { parseLocalRoot } from "./filesets/parse-local-root.ts"
export type { TrashItem } from "./filesets/removal/trash.ts"
export type { FileDifference } from "./history/compare-states.ts"
export type { History } from "./history/history.ts"
export { checkDatabase } from "./integrity/check-database.ts"
export type { Integrity } from "./integrity/integrity.ts"
export { ownFilesets } from "./integrity/recorded-files.ts"
export { type CallerFilesets, type FilesetStore, openFilesets } from "./open-filesets.ts"
export type { FolderRange } from "./revisions/file-order.ts"
export { findFolder, runsOf } from "./revisions/ordered-files.ts"
export type { RevisionFile } from "./revisions/revision-file.ts"
export type { Commit, Revision, RevisionFileInfo } from "./revisions/revisions.ts"
export { nodesIn, type TreeNode, type TreePosition } from "./revisions/tree-nodes.ts"
export { checkSecretRights, secretNotReadable, type SecretRights } from "./storages/secret-rights.ts"
export {
  checkDefaultStorage,
  folderOf,
  OPERATORS_WORKSPACE,
  secretsOfStorage,
  type StorageColumns,
  storageOf,
} from "./storages/storage-configuration.ts"
export { checkDatabaseNotLost, STORAGE_ID_PATH } from "./storages/storage-id.ts"
