export { createCommitLines } from "./commit-lines.ts"
export { createCommitFileset } from "./commits/commit-fileset.ts"
export type { CommitLine } from "./commits/receive-commit.ts"
export { describeAccount } from "./describe-account.ts"
export { describeRepository, listCommits } from "./repositories/describe-repository.ts"
export { getObject, isObjectId } from "./find-object.ts"
export { formatPacket, gitRefusal } from "./git-refusal.ts"
export {
  checkBranch,
  parseGitRepository,
  parseRevision,
  type Repository,
  repositoryUrl,
  type RevisionAddress,
} from "./hub-address.ts"
export { hubErrorCode, hubErrorMessage } from "./hub-error.ts"
export { keepObject } from "./kept-objects.ts"
export { lfsBatch } from "./lfs-batch.ts"
export { describePaths, listTree, MAX_TREE_PAGE } from "./list-tree.ts"
export { createRepository, firstCommit } from "./repositories/new-repository.ts"
export { listRepositories, type RepositoryKind } from "./repositories/list-repositories.ts"
export { moveRepository, parseRepositoryId } from "./repositories/move-repository.ts"
export { checkSettings } from "./repositories/repository-settings.ts"
export { partOf } from "./object-parts.ts"
export { createDatasetViewer, type DatasetViewer } from "./viewer/dataset-viewer.ts"
export type { ViewedDataset } from "./viewer/open-split.ts"
export { createTag } from "./tags.ts"
export { uploadModes } from "./upload-modes.ts"
export { openChunkedObjects } from "./xet/chunked-objects.ts"
export { isXetHash } from "./xet/format/xet-hash.ts"
export { createKeyedHash, createXetHashes, type XetHashes } from "./xet/format/xet-hashes.ts"
export { MAX_SHARD_BYTES } from "./xet/format/parse-shard.ts"
export { receiveXorb } from "./xet/receive-xorb.ts"
export { registerShard } from "./xet/register-shard.ts"
export type { XetStores } from "./xet/xet-stores.ts"
export { createKnownXorbs } from "./xet/find-known-xorbs.ts"
export { readChunkState } from "./xet/chunk-state.ts"
