import type { CreateDocument, Document } from "@assay/registry"

/** The fields that targets and configurations share. */
export interface DocumentBody {
  readonly type: string
  readonly name?: string
  readonly namespace?: string
  readonly description?: string
  readonly project?: string
}

export type DocumentItem<Body> = Body & { id: string; created_at: string; updated_at: string }

/** Fields that the registry sets. Clients may send them, so that a record that was read can be sent back. */
const OWN_KEYS: ReadonlySet<string> = new Set(["id", "created_at", "updated_at"])

/** Returns the record to create for a body. */
export function recordOf<Body extends DocumentBody>(body: Body): CreateDocument<Body> {
  const { name = "", namespace: _namespace, description = "", project = "", type, ...others } = body
  const kept = Object.entries(others).filter(([key]) => !OWN_KEYS.has(key))
  const data = { type, ...Object.fromEntries(kept) } as unknown as Body
  return { ...(name === "" ? {} : { name }), description, project, data }
}

/** Returns a record in the form of answers and jobs. */
export function itemOf<Body extends DocumentBody>(document: Document<Body>): DocumentItem<Body> {
  const { id, name, workspace: namespace, description, project, created_at, updated_at } = document
  const { type, ...others } = document.data
  const common = { id, type, name, namespace, description, project, custom_fields: {} }
  return { ...common, ...others, created_at, updated_at } as unknown as DocumentItem<Body>
}

/** Returns the body with changes applied. Null removes a key. */
export function changedBody(item: object, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const changed = Object.entries({ ...item, ...changes }).filter(([, value]) => value !== null)
  return Object.fromEntries(changed)
}
