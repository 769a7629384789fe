import type { FilePath } from "@assay/storage"
import { resolveRange } from "@assay/storage"
import type { FileSource } from "../../http/send-file.ts"
import type { ObjectName, ObjectStore } from "../../uploads/object-store.ts"

/** An object that waits to become a file, as something that can be sent. */
export function waitingObject(objects: ObjectStore, object: ObjectName, size: number): FileSource {
  const { sha256 } = object
  const file = { path: sha256 as FilePath, size, etag: `"${sha256}"`, sha256, updatedAt: null }
  return {
    stat: async () => file,
    async read({ range }) {
      if (range === undefined) return { file, bytes: objects.read(object, { start: 0, end: size - 1 }) }
      const part = resolveRange(range, size)
      return { file, range: part, bytes: objects.read(object, part) }
    },
  }
}
