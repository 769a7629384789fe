import { invalidRequest } from "@assay/schemas"

type Place = readonly (string | number)[]

/**
 * That every database can keep the texts of a body, keys included: PostgreSQL takes no U+0000, and half of a surrogate
 * pair is no character.
 * @throws `invalid_request` that names the first place
 */
export function checkStorable(body: unknown, place: Place = ["body"]): void {
  if (typeof body === "string") return checkText(body, place)
  if (typeof body !== "object" || body === null) return
  for (const [key, value] of Object.entries(body)) {
    checkText(key, place)
    checkStorable(value, [...place, Array.isArray(body) ? Number(key) : key])
  }
}

function checkText(text: string, place: Place): void {
  if (!text.includes("\0") && text.isWellFormed()) return
  throw invalidRequest(place, "Text must not contain U+0000 or half of a surrogate pair", "unstorable_text")
}
