import type { RowFileReport, ValidationIssue } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { type FilePath, quotePath } from "@assay/storage"
import type { CsvSettings } from "../formats/csv/csv-dialect.ts"
import { reportOf, type FileTally } from "../checking/row-tally.ts"
import type { SchemaRunner } from "../checking/schema-pool.ts"
import type { ChosenSchema } from "../schemas/choose-schema.ts"
import { unescapePointerToken } from "../schemas/json-schema.ts"
import type { RowSchemas } from "../schemas/row-schemas.ts"

/** The settings of one upload check. */
export interface UploadCheck {
  readonly path: FilePath
  readonly runner: SchemaRunner
  readonly schemas: RowSchemas
  /** How CSV is written. */
  readonly csv: CsvSettings | undefined
  /** The schema for this path. Undefined if there is none. */
  readonly chosen: ChosenSchema | undefined
  readonly maxIssues: number
  readonly isRejecting: boolean
  readonly signal: AbortSignal | undefined
  readonly onReport: ((report: RowFileReport) => void) | undefined
}

/**
 * Reports the result of checking an upload.
 * @throws `invalid_request` if the upload is refused
 */
export function settleUpload({ path, chosen, isRejecting, onReport }: UploadCheck, tally: FileTally): void {
  const report = reportOf(path, chosen?.label, tally)
  onReport?.(report)
  if (!isRejecting || report.invalid === 0) return
  const [first] = report.issues
  const location = first?.line == null ? `row ${first?.row_index ?? 0}` : `line ${first.line}`
  const message =
    `File ${quotePath(path)} has invalid rows, and its fileset refuses them (the first one, on ${location}: ` +
    `${first?.pointer ?? ""} ${first?.message ?? ""}); correct the rows and send it again.`
  throw new AssayError("invalid_request", message, { issues: report.issues.map(issueOf), context: { path } })
}

function issueOf({ row_index, line, offset, pointer, message }: RowFileReport["issues"][number]): ValidationIssue {
  const keys = pointer.split("/").slice(1).map(unescapePointerToken)
  return { loc: ["body", row_index, ...keys], msg: message, type: "invalid_row", ctx: { line, offset, pointer } }
}
