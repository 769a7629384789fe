import { AssayError, type ErrorCode } from "@assay/schemas"
import type { Database } from "./database.ts"
import type { PreparedQuery } from "./prepared-query.ts"
import type { StatementFailure } from "./sql-dialect.ts"

/** Failures that mean the same whatever was being done. */
const ANSWERS: Readonly<
  Partial<Record<StatementFailure, readonly [ErrorCode, string, { readonly retryAfter: number }?]>>
> = {
  unavailable: ["unavailable", "The database does not answer; try again in a moment."],
  locked: [
    "unavailable",
    "Another server holds a record that this needs, and has not let go of it in time; try again in a moment.",
    { retryAfter: 5 },
  ],
  disk_full: ["disk_full", "The database has no room left; free space on its disk, then try again."],
  unstorable: ["bad_request", "The request has a text with U+0000, which no record can hold; leave it out."],
}

/** The same database, which answers with these failures instead of its own. */
export function withKnownFailures(database: Database): Database {
  async function known<T>(result: Promise<T>): Promise<T> {
    try {
      return await result
    } catch (cause) {
      const failure = database.dialect.failureOf(cause)
      const answer = failure && ANSWERS[failure]
      if (answer === undefined) throw cause
      const [code, message, context = {}] = answer
      throw new AssayError(code, message, { context, cause })
    }
  }
  const knownQuery = <T>(query: PreparedQuery<T>): PreparedQuery<T> => ({ run: (values) => known(query.run(values)) })
  return {
    ...database,
    read: (work) => known(database.read(work)),
    write: (work, options) => known(database.write(work, options)),
    prepare: (build) => knownQuery(database.prepare(build)),
    prepareTogether: (build) => knownQuery(database.prepareTogether(build)),
  }
}
