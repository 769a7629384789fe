export { filesInMemory, type OrderedFiles } from "../revisions/ordered-files.ts"
export { revisionOf } from "../revisions/revisions.ts"
