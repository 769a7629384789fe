import { maskUrlUsers } from "../requests/url-user.ts"
import type { BodyFields } from "./body-fields.ts"
import { mapFields } from "./map-fields.ts"

/** Shown in place of a key. */
export const HIDDEN_KEY = "******"

/**
 * Returns `value` with each key at any depth as `******`, and without the user names and passwords of addresses: the form of
 * targets and configurations in answers and results. References to secrets and names of variables stay. A value without a key
 * keeps its identity.
 */
export function maskKeys<T>(value: T, fields?: BodyFields): T {
  return mapFields(
    maskUrlUsers(value),
    ({ name, value: part, kinds }) => (kinds.includes("key") && isShown(part) ? { [name]: HIDDEN_KEY } : undefined),
    fields,
  )
}

/** An object is not a key: a property of a JSON schema can have the name of one. */
function isShown(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return false
  return typeof value !== "object" || Array.isArray(value)
}
