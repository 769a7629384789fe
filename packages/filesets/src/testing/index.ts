export { filesInMemory, type OrderedFiles } from "../revisions/ordered-files.ts"
export { revisionOf } from "../revisions/revisions.ts"
export { createTestOptions, type TestOptions } from "./test-options.ts"
export { startTestBucket } from "./test-bucket.ts"
