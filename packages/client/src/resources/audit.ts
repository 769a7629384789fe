import type { AUDIT_LISTING, AuditPage, AuditRecord } from "@assay/schemas"
import type { CallOptions } from "../client-options.ts"
import type { CallJson } from "../exchange/call-json.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { streamBody } from "../exchange/streams.ts"
import type { Query } from "../exchange/route.ts"

export type AuditField = (typeof AUDIT_LISTING.filter)[number]

export interface AuditQuery {
  /** The required values of fields. */
  readonly filter?: Readonly<Partial<Record<AuditField, string>>>
  /** Texts that fields must contain, in upper or lower case. */
  readonly search?: Readonly<Partial<Record<AuditField, string>>>
  /** The oldest and the newest time, ISO 8601. Both are included. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Default 100, from 1 to 1000. */
  readonly limit?: number
  /** `next_cursor` of the page before. */
  readonly cursor?: string | undefined
}

/** The record of changes and their callers. For admins. */
export interface Audit {
  /** Returns one page, newest first. A page with a filter can be short, or empty, and not be the last one. */
  page(query?: AuditQuery, options?: CallOptions): Promise<AuditPage>
  /** Yields all records, newest first. */
  list(query?: Omit<AuditQuery, "cursor">, options?: CallOptions): AsyncGenerator<AuditRecord, void, undefined>
  /** Yields the bytes of all records as JSON lines, newest first. `limit` is from 1 to 1,000,000; default: all up to that. */
  export(query?: Omit<AuditQuery, "cursor">, options?: CallOptions): AsyncGenerator<Uint8Array, void, undefined>
}

export function createAudit(call: CallJson, exchange: Exchange, url: string): Audit {
  const page: Audit["page"] = async (query = {}, { signal } = {}) =>
    call({ method: "GET", path: "/v1/audit", query: parametersOf(query), signal })
  return {
    page,
    export: (query = {}, { signal } = {}) =>
      streamBody(exchange, url, { method: "GET", path: "/v1/audit/export", query: parametersOf(query), signal }),
    async *list(query = {}, options) {
      for (let cursor: string | undefined; ;) {
        const { data, next_cursor } = await page({ ...query, cursor }, options)
        yield* data
        if (next_cursor === undefined) return
        cursor = next_cursor
      }
    },
  }
}

function parametersOf({ filter = {}, search = {}, since, until, limit, cursor }: AuditQuery): Query {
  const inBrackets = (way: string, fields: Readonly<Partial<Record<string, string>>>) =>
    Object.entries(fields).map(([field, value]) => [`${way}[${field}]`, value] as const)
  return {
    ...Object.fromEntries([...inBrackets("filter", filter), ...inBrackets("search", search)]),
    "filter[created_at][gte]": since,
    "filter[created_at][lte]": until,
    limit,
    cursor,
  }
}
