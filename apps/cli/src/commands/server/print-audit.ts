import type { AuditQuery } from "@assay/client"
import { formatAudit } from "@assay/reports/terminal"
import type { AuditRecord } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { openClient } from "../../open-client.ts"
import type { JsonOption } from "../action.ts"
import { given } from "../option-values.ts"
import { print } from "../print.ts"

const DEFAULT_LIMIT = 50
const MAX_PAGE = 1000

export interface AuditOptions extends JsonOption {
  readonly workspace?: string
  readonly token?: string
  readonly action?: string
  readonly status?: number
  readonly name?: string
  readonly since?: string
  readonly limit?: number
}

/** Runs `assay audit`. */
export async function printAudit(context: Context, options: AuditOptions): Promise<void> {
  const { limit = DEFAULT_LIMIT, workspace, token, action, status, name, since } = options
  const query: AuditQuery = {
    filter: given({ workspace, token, action, status: status === undefined ? undefined : String(status) }),
    search: given({ name }),
    since,
    limit: Math.min(limit, MAX_PAGE),
  }
  const data: AuditRecord[] = []
  for await (const record of openClient(context).audit.list(query, { signal: context.signal })) {
    data.push(record)
    if (data.length >= limit) break
  }
  await print(context, options, { data }, (_result, layout) => formatAudit(data, layout))
}
