import { statSync } from "node:fs"
import { AssayError } from "@assay/schemas"

/**
 * Returns a function that checks that files which are open now are still the files with these names, and that none has become smaller: the
 * database is never made smaller, and its log only when it is closed.
 */
export function watchFiles(files: readonly string[]): () => void {
  const known = new Map(files.map((file) => [file, statSync(file, { bigint: true })]))
  return () => {
    for (const [file, before] of known) {
      const now = statSync(file, { bigint: true, throwIfNoEntry: false })
      if (now === undefined) throw lost(file, "was deleted")
      if (now.ino !== before.ino || now.dev !== before.dev) throw lost(file, "was replaced")
      if (now.size < before.size) throw lost(file, `was cut from ${before.size} to ${now.size} bytes`)
      known.set(file, now)
    }
  }
}

function lost(file: string, what: string): AssayError {
  const message = `The file '${file}' of the database ${what} while the server was running. Stop the server, put the file back or restore a backup with 'assay restore', then start it again.`
  return new AssayError("local_file_failed", message)
}
