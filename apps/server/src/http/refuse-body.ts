import { isObject } from "@assay/json"
import { invalidRequest, printable } from "@assay/schemas"
import type { FastifyRequest } from "fastify"

/**
 * Refuses the fields of a body for an operation that reads none: they are often meant for the query, and would be dropped without a word.
 * @throws `invalid_request` with the name of the first field
 */
export async function refuseBody({ body, routeOptions }: Pick<FastifyRequest, "body" | "routeOptions">): Promise<void> {
  if (!isObject(body)) return
  const [name] = Object.keys(body)
  if (name === undefined) return
  const { schema } = routeOptions
  const query = isObject(schema) && isObject(schema["querystring"]) ? schema["querystring"] : {}
  const properties = isObject(query["properties"]) ? Object.keys(query["properties"]) : []
  const taken = properties.length === 0 ? "" : `; it takes ${properties.join(", ")} in the query`
  throw invalidRequest(
    ["body", name],
    `Unknown field '${printable(name)}': this operation takes no body${taken}`,
    "extra_forbidden",
  )
}
