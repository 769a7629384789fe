import type { DocumentQuery, Documents } from "@assay/registry"
import type { VisibleWorkspaces } from "@assay/database"
import { invalidRequest, isAssayError, maskKeys, type Pagination } from "@assay/schemas"
import type { JobRights } from "../rights/job-rights.ts"
import {
  changedBody,
  itemOf,
  recordOf,
  type DocumentAddress,
  type DocumentBody,
  type DocumentItem,
} from "./document-body.ts"
import { keepInlineKeys, type KeyContext } from "./keep-inline-keys.ts"

/** New values by key. */
type Changes = Readonly<Record<string, unknown>>

/** Stored targets, or stored configurations. Answers show no key. */
export interface EvaluationDocuments<Body extends DocumentBody> {
  /** @throws `invalid_request`, `already_exists`, `secret_not_readable` */
  create(workspace: string, body: Body, rights: JobRights): Promise<DocumentItem<Body>>
  /** Lists the records of all visible workspaces. */
  list(
    query: DocumentQuery,
    visible: VisibleWorkspaces,
  ): Promise<{ data: DocumentItem<Body>[]; pagination: Pagination }>
  /** @throws `not_found` */
  get(address: DocumentAddress): Promise<DocumentItem<Body>>
  /** Replaces the whole value of each key. Null removes a key. @throws `not_found`, and the errors of `create` */
  update(address: DocumentAddress, changes: Changes, rights: JobRights): Promise<DocumentItem<Body>>
  /** @throws `not_found` */
  remove(address: DocumentAddress): Promise<DocumentItem<Body>>
}

export interface EvaluationDocumentsContext<Body> extends KeyContext {
  readonly documents: Documents<Body>
  /** Checks a changed body against its schema. @throws `invalid_request` */
  readonly checkBody: (body: unknown) => void
}

const FIXED = ["name", "namespace"] as const

export function createEvaluationDocuments<Body extends DocumentBody>(
  context: EvaluationDocumentsContext<Body>,
): EvaluationDocuments<Body> {
  const { documents, checkBody } = context

  /** Changes a record, again if another request has changed other keys in between. */
  async function change({ workspace, name }: DocumentAddress, changes: Changes): Promise<DocumentItem<Body>> {
    for (;;) {
      const item = itemOf(await documents.get(workspace, name))
      const { name: _name, ...record } = recordOf(changedBody(item, changes) as unknown as Body)
      try {
        return itemOf(await documents.update(workspace, name, { ...record, unchangedSince: item.updated_at }))
      } catch (error) {
        if (!isAssayError(error, "precondition_failed")) throw error
      }
    }
  }

  return {
    async create(workspace, body, rights) {
      const kept = await keepInlineKeys(body, { workspace, rights }, context)
      return maskKeys(itemOf(await documents.create(workspace, recordOf(kept))))
    },

    async list(query, visible) {
      const { data, pagination } = await documents.search(query, visible)
      return { data: data.map((document) => maskKeys(itemOf(document))), pagination }
    },

    get: async ({ workspace, name }) => maskKeys(itemOf(await documents.get(workspace, name))),

    async update({ workspace, name }, changes, rights) {
      const item = itemOf(await documents.get(workspace, name))
      checkFixed(item, changes)
      checkBody(changedBody(item, changes))
      const kept = await keepInlineKeys(changes, { workspace, rights }, context)
      return maskKeys(await change({ workspace, name }, kept))
    },

    remove: async ({ workspace, name }) => maskKeys(itemOf(await documents.remove(workspace, name))),
  }
}

/** @throws `invalid_request` if a change would rename or move the record */
function checkFixed(item: DocumentBody, changes: Changes): void {
  for (const key of FIXED) {
    if (changes[key] === undefined || changes[key] === item[key]) continue
    throw invalidRequest(
      ["body", key],
      `The ${key} of a stored record can't be changed; store a new record instead`,
      "frozen",
    )
  }
}
