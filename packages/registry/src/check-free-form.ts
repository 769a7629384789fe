import { invalidRequest } from "@assay/schemas"

/** Characters, as JSON, of what users keep with a record in a form of their own. Pages hold a hundred records. */
const MAX_CHARACTERS = {
  custom_fields: 262_144,
  /** Row schemas alone may have a million. */
  metadata: 1_310_720,
} as const

/**
 * That pages with a record stay readable. Before anything that goes through the values one by one.
 * @throws `invalid_request` that names the field
 */
export function checkFreeForm(body: Readonly<Partial<Record<keyof typeof MAX_CHARACTERS, unknown>>>): void {
  for (const field of Object.keys(MAX_CHARACTERS) as (keyof typeof MAX_CHARACTERS)[]) {
    const size = body[field] === undefined ? 0 : JSON.stringify(body[field]).length
    const most = MAX_CHARACTERS[field]
    if (size <= most) continue
    const msg = `\`${field}\` has ${size} characters as JSON; ${most} are allowed. Keep what is larger in a file`
    throw invalidRequest(["body", field], msg, "too_large")
  }
}
