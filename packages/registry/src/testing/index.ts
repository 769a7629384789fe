export { filesInMemory, type OrderedFiles } from "../revisions/ordered-files.ts"
export { revisionOf } from "../revisions/revisions.ts"
export { sweepCalls } from "./sweep-calls.ts"
export { bytesOf, textOf } from "./bytes.ts"
