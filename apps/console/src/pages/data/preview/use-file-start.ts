import type { FileInfo } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import { useClient } from "../../../api/use-client.ts"
import { textOfStart } from "./preview-kind.ts"

/** Bytes of a file that are shown. */
export const MAX_SHOWN = 65_536

export interface PreviewedFile {
  readonly workspace: string
  readonly name: string
  readonly file: FileInfo
}

/** Reads the first 64 KiB of a file as text. A null text means bytes that are not text. */
export function useFileStart({ workspace, name, file: { path, size, etag } }: PreviewedFile) {
  const client = useClient()
  return useQuery({
    queryKey: ["files", workspace, name, "start", path, etag],
    queryFn: async ({ signal }) => {
      // No range begins in an empty file.
      if (size === 0) return { text: "", isWhole: true }
      const range = { start: 0, end: MAX_SHOWN - 1 }
      const content = await client.files.read(workspace, name, path, { range, signal })
      const found = new Uint8Array(Math.min(MAX_SHOWN, content.size))
      let length = 0
      for await (const piece of content.bytes) {
        found.set(piece.subarray(0, found.length - length), length)
        length += Math.min(piece.length, found.length - length)
        // A storage without ranges sends all bytes.
        if (length === found.length) break
      }
      return { text: textOfStart(found.subarray(0, length)) ?? null, isWhole: content.size <= MAX_SHOWN }
    },
  })
}
