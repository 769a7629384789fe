import type { AuditQuery } from "@assay/client"
import { formatAudit } from "@assay/reports/terminal"
import type { AuditRecord } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { writeTextBytes } from "../../output/write-text.ts"
import { given } from "../option-values.ts"
import { print } from "../print.ts"

const DEFAULT_LIMIT = 50
const MAX_PAGE = 1000

export interface AuditOptions extends JsonOption {
  readonly workspace?: string
  readonly token?: string
  readonly subject?: string
  readonly action?: string
  readonly status?: number
  readonly name?: string
  readonly since?: string
  readonly until?: string
  readonly jsonl?: boolean
  readonly limit?: number
}

/** Runs `assay audit`. */
export async function printAudit(context: Context, options: AuditOptions): Promise<void> {
  const { limit = DEFAULT_LIMIT, jsonl = false } = options
  const { audit } = openClient(context)
  const { signal } = context
  if (jsonl) return writeTextBytes(context.stdout, audit.export(queryOf(options, options.limit), { signal }))
  const data: AuditRecord[] = []
  for await (const record of audit.list(queryOf(options, Math.min(limit, MAX_PAGE)), { signal })) {
    data.push(record)
    if (data.length >= limit) break
  }
  await print(context, options, { data }, (_result, layout) => formatAudit(data, layout))
}

function queryOf(options: AuditOptions, limit: number | undefined): AuditQuery {
  const { workspace, token, subject, action, status, name, since, until } = options
  return {
    filter: given({ workspace, token, subject, action, status: status === undefined ? undefined : String(status) }),
    search: given({ name }),
    since,
    until,
    ...(limit === undefined ? {} : { limit }),
  }
}
