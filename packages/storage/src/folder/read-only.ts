import { AssayError } from "@assay/schemas/errors"
import type { Storage } from "@assay/storage"

/** What a storage that is only read has to bring. */
export type Readable = Pick<Storage, "type" | "stat" | "list" | "read">

/** A storage that refuses to be written: what looks into files must not be able to change them. */
export function readOnly({ type, stat, list, read }: Readable): Storage {
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
