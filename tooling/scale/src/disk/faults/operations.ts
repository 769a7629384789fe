import { onBackups } from "./backup-operations.ts"
import { onHistory } from "./history-operations.ts"
import { onJobs } from "./job-operations.ts"
import type { Operation } from "./operation.ts"
import { onFiles, onFilesets, onRecords } from "./record-operations.ts"
import { onHub, onUploads } from "./upload-operations.ts"
import { onXet } from "./xet-operations.ts"

/** All operations that a run tries. */
export const OPERATIONS: readonly Operation[] = [
  ...onFiles,
  ...onHistory,
  ...onFilesets,
  ...onRecords,
  ...onUploads,
  ...onHub,
  ...onXet,
  ...onJobs,
  ...onBackups,
]
