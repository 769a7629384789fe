import { existsSync } from "node:fs"
import { resolve } from "node:path"
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
  if (!existsSync(resolve(context.cwd, job))) {
    const remedy = "Correct the path, or name a job of a server: assay eval list."
    throw new AssayError("bad_usage", `There is nothing at '${printable(job)}' on this machine.`, {
      context: { remedy },
    })
  }
  throw new AssayError(
    "bad_usage",
    `'${printable(job)}' is a folder, and this command takes a job of a server: ${instead}.`,
  )
}
