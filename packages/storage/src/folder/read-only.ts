import { AssayError } from "@assay/schemas/errors"
import type { Storage } from "../storage.ts"

/** The parts of a storage that read. */
export type ReadableStorage = Pick<Storage, "type" | "stat" | "list" | "read">

/** Returns a storage that refuses every change with `method_not_allowed`. */
export function readOnly({ type, stat, list, read }: ReadableStorage): Storage {
  const refuse = async (): Promise<never> => {
    throw new AssayError("method_not_allowed", "These files are open for reading only.")
  }
  return {
    type,
    capabilities: {
      write: false,
      delete: false,
      rangedRead: true,
      conditionalWrite: false,
      checksums: false,
      revisions: false,
    },
    stat,
    list,
    read,
    write: refuse,
    delete: refuse,
  }
}
