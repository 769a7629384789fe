import type { CreateDocument, Document } from "@assay/registry"

/** What a target and a configuration have in common. */
export interface DocumentBody {
  readonly type: string
  readonly name?: string
  readonly namespace?: string
  readonly description?: string
  readonly project?: string
}

export type DocumentItem<Body> = Body & { id: string; created_at: string; updated_at: string }

/** What the registry makes of its own, whatever a client sends: a record that was read is sent back as it is. */
const OWN_KEYS: ReadonlySet<string> = new Set(["id", "created_at", "updated_at"])

/** The record to be made of a body. */
export function recordOf<Body extends DocumentBody>(body: Body): CreateDocument<Body> {
  const { name = "", namespace: _namespace, description = "", project = "", type, ...others } = body
  const kept = Object.entries(others).filter(([key]) => !OWN_KEYS.has(key))
  const data = { type, ...Object.fromEntries(kept) } as unknown as Body
  return { ...(name === "" ? {} : { name }), description, project, data }
}

/** A record as it is answered, and embedded in jobs. */
export function itemOf<Body extends DocumentBody>(document: Document<Body>): DocumentItem<Body> {
  const { id, name, workspace: namespace, description, project, created_at, updated_at } = document
  const { type, ...others } = document.data
  const common = { id, type, name, namespace, description, project, custom_fields: {} }
  return { ...common, ...others, created_at, updated_at } as unknown as DocumentItem<Body>
}

/** The body with changes: null takes a key out. */
export function changedBody(item: object, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const changed = Object.entries({ ...item, ...changes }).filter(([, value]) => value !== null)
  return Object.fromEntries(changed)
}
