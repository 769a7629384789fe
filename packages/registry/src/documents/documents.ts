import type { Pagination } from "@assay/schemas"
import type { RecordQuery } from "../records/read-records.ts"
import type { SortedQuery, VisibleWorkspaces } from "../registry.ts"
import type { DocumentQuery } from "./search-documents.ts"

/** A named record of a workspace with free-form data. */
export interface Document<Data> {
  readonly id: string
  readonly name: string
  readonly workspace: string
  readonly project: string
  readonly description: string
  readonly data: Data
  readonly created_at: string
  readonly updated_at: string
}

export interface CreateDocument<Data> {
  /** Default: its id. */
  readonly name?: string
  readonly description?: string
  readonly project?: string
  /** If it has a `type`, that key must be first, so that it can be searched. */
  readonly data: Data
}

/** A given key replaces the whole value. Null empties it. */
export interface UpdateDocument<Data> {
  readonly description?: string | null
  readonly project?: string | null
  readonly data?: Data
  /** The `updated_at` that the document must still have. For changes that depend on an earlier read. */
  readonly unchangedSince?: string
}

/** Documents of one kind. `get` returns a frozen object, which is the same until the document changes. */
export interface Documents<Data> {
  /** @throws `already_exists`; `invalid_request` if there is no such workspace */
  create(workspace: string, body: CreateDocument<Data>): Promise<Document<Data>>
  list(workspace: string, query: RecordQuery & SortedQuery): Promise<{ data: Document<Data>[]; pagination: Pagination }>
  /** Searches all visible workspaces. */
  search(query: DocumentQuery, visible: VisibleWorkspaces): Promise<{ data: Document<Data>[]; pagination: Pagination }>
  /** @throws `not_found` */
  get(workspace: string, name: string): Promise<Document<Data>>
  /** @throws `not_found`; `precondition_failed` if it was changed after `unchangedSince` */
  update(workspace: string, name: string, body: UpdateDocument<Data>): Promise<Document<Data>>
  /** @throws `not_found` */
  remove(workspace: string, name: string): Promise<Document<Data>>
}

/**
 * Kinds of documents: records with a name, a description and free-form `data`, which the caller checks. The key is the value
 * in the column `kind`.
 */
export const DOCUMENT_KINDS = {
  guardrail_configurations: { noun: "Guardrail configuration", idPrefix: "guardrail" },
  evaluation_targets: { noun: "Evaluation target", idPrefix: "eval-target" },
  evaluation_configurations: { noun: "Evaluation configuration", idPrefix: "eval-config" },
} as const satisfies Record<string, { readonly noun: string; readonly idPrefix: string }>

export type DocumentKind = keyof typeof DOCUMENT_KINDS
export type DocumentNoun = (typeof DOCUMENT_KINDS)[DocumentKind]["noun"]
