import { AssayError } from "@assay/schemas"
import type { WriteOptions } from "@assay/storage"

type Conditions = Pick<WriteOptions, "ifMatch" | "ifNoneMatch">

/** The conditions of a PUT. @throws `bad_request` for forms that can't be met as one atomic step */
export function writeConditions(headers: {
  readonly "if-match"?: string | undefined
  readonly "if-none-match"?: string | undefined
}): Conditions {
  const ifMatch = headers["if-match"]
  const ifNoneMatch = headers["if-none-match"]
  if (ifNoneMatch !== undefined && ifNoneMatch.trim() !== "*") {
    throw new AssayError("bad_request", `If-None-Match '${ifNoneMatch}' is not taken on PUT; only * (create only) is.`)
  }
  if (ifMatch !== undefined && ifMatch.includes(",")) {
    throw new AssayError("bad_request", "If-Match on PUT takes one ETag or *.")
  }
  return {
    ...(ifMatch === undefined ? {} : { ifMatch: ifMatch.trim() }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch: "*" as const }),
  }
}
