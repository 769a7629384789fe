import type { DocumentQuery, Documents } from "@assay/registry"
import { AssayError, invalidRequest, isAssayError, type Pagination, type ValidationIssue } from "@assay/schemas"
import type { TSchema } from "@sinclair/typebox"
import type { Caller } from "../../auth/grant.ts"
import { requireRole, visibleWorkspaces } from "../../auth/require-role.ts"
import { compileCheck, type CheckedValue } from "../../validation/compile-check.ts"
import { loadEvaluation } from "../load-evaluation.ts"
import { changedBody, itemOf, recordOf, type DocumentBody, type DocumentItem } from "./document-body.ts"
import { keepInlineKeys, type KeyKeeping } from "./keep-inline-keys.ts"

export interface DocumentAddress {
  readonly namespace: string
  readonly name: string
}

/** Keys with their new values. */
type Changes = Readonly<Record<string, unknown>>

/** Stored targets, or stored configurations. No answer shows a key. */
export interface EvaluationDocuments<Body extends DocumentBody> {
  /** @throws `invalid_request`, `already_exists`, `secret_not_readable` */
  create(namespace: string, body: Body, caller: Caller): Promise<DocumentItem<Body>>
  /** Of all namespaces that the caller may see. */
  list(query: DocumentQuery, caller: Caller): Promise<{ data: DocumentItem<Body>[]; pagination: Pagination }>
  /** @throws `not_found` */
  get(address: DocumentAddress): Promise<DocumentItem<Body>>
  /** Each key replaces the whole value; null takes it out. @throws `not_found`, and like `create` */
  update(address: DocumentAddress, changes: Changes, caller: Caller): Promise<DocumentItem<Body>>
  /** @throws `not_found` */
  remove(address: DocumentAddress): Promise<DocumentItem<Body>>
}

export interface EvaluationDocumentsContext<Body> extends KeyKeeping {
  readonly documents: Documents<Body>
  /** Of a body. */
  readonly schema: TSchema
}

const FIXED = ["name", "namespace"] as const

export function createEvaluationDocuments<Body extends DocumentBody>(
  context: EvaluationDocumentsContext<Body>,
): EvaluationDocuments<Body> {
  const { documents, schema } = context
  // Made by the first change: it would hold up the start.
  let check: ReturnType<typeof compileCheck> | undefined

  async function shown(item: DocumentItem<Body>): Promise<DocumentItem<Body>> {
    const { maskKeys } = await loadEvaluation()
    return maskKeys(item)
  }

  /** Others may change other keys at the same time. */
  async function change({ namespace, name }: DocumentAddress, changes: Changes): Promise<DocumentItem<Body>> {
    for (;;) {
      const item = itemOf(await documents.get(namespace, name))
      const { name: _name, ...record } = recordOf(changedBody(item, changes) as unknown as Body)
      try {
        return itemOf(await documents.update(namespace, name, { ...record, unchangedSince: item.updated_at }))
      } catch (error) {
        if (!isAssayError(error, "precondition_failed")) throw error
      }
    }
  }

  return {
    async create(namespace, body, caller) {
      const kept = await keepInlineKeys(body, { namespace, caller }, context)
      return shown(itemOf(await documents.create(namespace, recordOf(kept))))
    },

    async list(query, caller) {
      const { namespace } = query.where.equals
      if (namespace !== undefined) requireRole(caller, namespace, "viewer")
      const { data, pagination } = await documents.search(query, visibleWorkspaces(caller))
      return { data: await Promise.all(data.map((document) => shown(itemOf(document)))), pagination }
    },

    get: async ({ namespace, name }) => shown(itemOf(await documents.get(namespace, name))),

    async update({ namespace, name }, changes, caller) {
      const item = itemOf(await documents.get(namespace, name))
      checkFixed(item, changes)
      check ??= compileCheck(schema)
      checkBody(check(changedBody(item, changes)))
      const kept = await keepInlineKeys(changes, { namespace, caller }, context)
      return shown(await change({ namespace, name }, kept))
    },

    remove: async ({ namespace, name }) => shown(itemOf(await documents.remove(namespace, name))),
  }
}

function checkFixed(item: DocumentBody, changes: Changes): void {
  for (const key of FIXED) {
    if (changes[key] === undefined || changes[key] === item[key]) continue
    throw invalidRequest(["body", key], `The ${key} of what is stored stays; store it anew to change it`, "frozen")
  }
}

function checkBody(checked: CheckedValue<unknown>): void {
  if (checked.valid) return
  const issues: ValidationIssue[] = checked.issues.map((issue) => ({ ...issue, loc: ["body", ...issue.loc] }))
  const [first] = issues
  throw new AssayError("invalid_request", `${first?.loc.join(".")}: ${first?.msg}`, { issues })
}
