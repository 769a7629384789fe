import type { ErrorCode } from "@assay/schemas"
import type { StoredFile } from "@assay/storage"
import type { CheckpointDescription } from "../describe/describe-checkpoint.ts"

/** What the thread asks for, with an id, or the end of its work. */
export type FromDescribeThread =
  | { readonly kind: "list"; readonly id: number }
  | {
      readonly kind: "read"
      readonly id: number
      readonly file: StoredFile
      readonly start: number
      readonly length: number
    }
  | { readonly kind: "done"; readonly description: CheckpointDescription }
  | {
      readonly kind: "failed"
      readonly code: ErrorCode | null
      readonly message: string
      readonly context: Readonly<Record<string, unknown>>
    }

/** Answers to what was asked. A listing comes in parts; the last one is empty. */
export type ToDescribeThread =
  | { readonly kind: "files"; readonly id: number; readonly files: readonly StoredFile[] }
  | { readonly kind: "bytes"; readonly id: number; readonly bytes: Uint8Array }
