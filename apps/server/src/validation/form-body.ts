import { invalidRequest } from "@assay/schemas"
import type { FastifyInstance } from "fastify"

/** Maximum number of fields of a form. Known clients send fewer. */
const MAX_FIELDS = 10_000

/** Has `app` parse forms (`application/x-www-form-urlencoded`) into objects, as if they were JSON. */
export function installFormParser(app: FastifyInstance): void {
  app.addContentTypeParser<string>(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: unknown, text: string) => parseForm(text),
  )
}

/** Returns the fields of a form. A field that occurs more than once is a list. @throws `invalid_request` for more than 10,000 fields */
function parseForm(text: string): Readonly<Record<string, string | string[]>> {
  if (text.split("&", MAX_FIELDS + 1).length > MAX_FIELDS) {
    throw invalidRequest(["body"], `The form has more than ${MAX_FIELDS} fields; send fewer at a time`, "too_long")
  }
  const fields = new Map<string, string | string[]>()
  for (const [key, value] of new URLSearchParams(text)) {
    const known = fields.get(key)
    if (known === undefined) fields.set(key, value)
    else if (typeof known === "string") fields.set(key, [known, value])
    else known.push(value)
  }
  return Object.fromEntries(fields)
}
