import { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { isLocal } from "../../is-folder-name.ts"

/**
 * Checks that a command which only a server can do is not about a folder.
 * @param instead what to do with a folder
 * @throws `bad_usage`
 */
export function checkServedJob(context: Pick<Context, "cwd">, job: string, instead: string): void {
  if (!isLocal(context, job)) return
  throw new AssayError(
    "bad_usage",
    `'${printable(job)}' is a folder, and this command takes a job of a server: ${instead}.`,
  )
}
