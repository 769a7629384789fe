import type { RowProfile, RowReport } from "@assay/schemas"
import type { Context } from "../../context.ts"
import type { FileAddress } from "@assay/transfer/file-address"
import { openClient } from "../../open-client.ts"

/** What a server says about the rows of a fileset, held against the metadata that it has: it reads them where they are. */
export interface ServedRows {
  readonly validate: (maxIssues: number) => Promise<RowReport>
  readonly inferSchema: (rows: number) => Promise<Record<string, unknown>>
  readonly profile: () => Promise<RowProfile>
}

export function createServedRows(context: Context, { workspace, fileset, path }: FileAddress): ServedRows {
  const { signal } = context
  // A server that reads gigabytes before it answers is silent, and not gone.
  const { rows } = openClient(context, { idleTimeout: 0 })
  const files = path === undefined || path === "" ? {} : { path }
  return {
    validate: (maxIssues) => rows.validate(workspace, fileset, { ...files, max_issues: maxIssues }, { signal }),
    inferSchema: (wanted) => rows.inferSchema(workspace, fileset, { ...files, rows: wanted }, { signal }),
    profile: () => rows.profile(workspace, fileset, files, { signal }),
  }
}
