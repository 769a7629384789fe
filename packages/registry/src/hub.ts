// Entry of `@assay/registry/hub`: filesets as clients of the Hugging Face Hub and Git LFS see them. It loads no database.
export { createCommitLines } from "./hub/commit-lines.ts"
export { describeAccount } from "./hub/describe-account.ts"
export { describeRepository, listCommits } from "./hub/describe-repository.ts"
export { getObject, isObjectId } from "./hub/find-object.ts"
export {
  checkBranch,
  parseGitRepository,
  parseRevision,
  repositoryUrl,
  type Repository,
  type RevisionAddress,
} from "./hub/hub-address.ts"
export { hubErrorCode, hubErrorMessage } from "./hub/hub-error.ts"
export { keepObject } from "./hub/kept-objects.ts"
export { lfsBatch } from "./hub/lfs-batch.ts"
export { describePaths, listTree, MAX_TREE_PAGE } from "./hub/list-tree.ts"
export { createRepository, firstCommit } from "./hub/new-repository.ts"
export { partOf } from "./hub/object-parts.ts"
export { uploadModes } from "./hub/upload-modes.ts"
