import type { FileInfo } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import { useClient } from "../../../api/use-client.ts"

/** A folder or a file of one level of a fileset. */
export type TreeEntry =
  | {
      readonly kind: "folder"
      readonly name: string
      readonly path: string
      readonly files: number
      readonly size: number
    }
  | { readonly kind: "file"; readonly name: string; readonly path: string; readonly file: FileInfo }

/** Maximum number of listed files. The table says if there are more. */
export const MAX_LISTED = 20_000
const PAGE = 5000

export interface FileTree {
  readonly files: readonly FileInfo[]
  readonly isWhole: boolean
}

/** Reads the files of a fileset, up to a limit. */
export function useFiles(workspace: string, name: string) {
  const client = useClient()
  return useQuery({
    queryKey: ["files", workspace, name],
    queryFn: async ({ signal }): Promise<FileTree> => {
      const files: FileInfo[] = []
      let page_token: string | undefined
      do {
        const query = page_token === undefined ? { limit: PAGE } : { limit: PAGE, page_token }
        const page = await client.files.page(workspace, name, query, { signal })
        files.push(...page.data)
        page_token = page.next_page_token
      } while (page_token !== undefined && files.length < MAX_LISTED)
      return { files, isWhole: page_token === undefined }
    },
  })
}

/** Returns the folders and files directly below `folder`, which is empty or ends with a slash: folders first, then files. */
export function entriesBelow(files: readonly FileInfo[], folder: string): readonly TreeEntry[] {
  const folders = new Map<string, { files: number; size: number }>()
  const found: TreeEntry[] = []
  for (const file of files) {
    if (!file.path.startsWith(folder)) continue
    const rest = file.path.slice(folder.length)
    const end = rest.indexOf("/")
    if (end === -1) {
      found.push({ kind: "file", name: rest, path: file.path, file })
      continue
    }
    const name = rest.slice(0, end)
    const known = folders.get(name) ?? { files: 0, size: 0 }
    folders.set(name, { files: known.files + 1, size: known.size + file.size })
  }
  const above = [...folders].map(([name, sums]): TreeEntry => ({
    kind: "folder",
    name,
    path: `${folder}${name}/`,
    ...sums,
  }))
  return [...above, ...found]
}
