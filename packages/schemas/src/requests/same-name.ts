import { Type } from "@sinclair/typebox"
import { invalidRequest } from "../errors/assay-error.ts"

/** The name in a change of a record that can't be renamed. Clients that send a whole record back include it. */
export const SameName = Type.Optional(Type.String({ description: "Must be the name in the path." }))

/** @throws `invalid_request` if a change of the record `name` gives another name in the field `field` */
export function checkSameName(given: string | undefined, name: string, field = "name"): void {
  if (given === undefined || given === name) return
  const msg = `The path names '${name}', and the record can't be renamed; leave this out, or create another record`
  throw invalidRequest(["body", field], msg, "not_renamed", given)
}
