import type { FileInfo, FileList } from "@assay/schemas"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useEffect, useMemo } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useGrowingRows, type GrowingRows } from "../../../table/use-growing-rows.ts"
import { sortEntries } from "./sort-entries.ts"

/** A folder or a file of one level of a fileset. */
export type FileEntry =
  | {
      readonly kind: "folder"
      readonly name: string
      readonly path: string
      /** Null: too many to be counted. */
      readonly files: number | null
      readonly size: number | null
    }
  | { readonly kind: "file"; readonly name: string; readonly path: string; readonly file: FileInfo }

export interface FileView {
  /** Empty or with a slash at its end. */
  readonly folder: string
  /** Shows the files of all folders whose path has this text. Undefined: shows the folder. */
  readonly q: string | undefined
  readonly sort: string | undefined
}

/** The first page is small, so that it is shown soon. */
const FIRST_PAGE = 200
const PAGE = 1000
/** Number of entries that are read at once. Further ones are read when the table shows the last of them. */
const MAX_AHEAD = 100_000

export interface FileEntries {
  readonly rows: GrowingRows<FileEntry>
  /** Number of files that the server has looked at so far. Undefined for a folder. */
  readonly searched: number | undefined
}

/** Reads a folder of a fileset, or the files that are looked for, page by page. The server lists and looks for them. */
export function useFileEntries(workspace: string, name: string, { folder, q, sort }: FileView): FileEntries {
  const client = useClient()
  const query = q === undefined ? { path: folder, recursive: false as const } : { contains: q }
  const { data, error, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["files", workspace, name, query],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const part = pageParam === undefined ? { limit: FIRST_PAGE } : { limit: PAGE, page_token: pageParam }
      return client.files.page(workspace, name, { ...query, ...part }, { signal })
    },
    getNextPageParam: ({ next_page_token }) => next_page_token,
  })
  const entries = useMemo(
    () => data?.pages.flatMap((page) => entriesOf(page, q === undefined ? folder : "")) ?? [],
    [data, folder, q],
  )
  const sorted = useMemo(() => sortEntries(entries, sort), [entries, sort])
  const isAhead = entries.length < MAX_AHEAD
  useEffect(() => {
    if (hasNextPage && !isFetching && error === null && isAhead) void fetchNextPage()
  }, [hasNextPage, isFetching, error, isAhead, fetchNextPage])
  const rows = useGrowingRows(sorted, {
    isWhole: data !== undefined && !hasNextPage,
    error: error ?? undefined,
    more: isFetching ? undefined : fetchNextPage,
  })
  const searched = q === undefined ? undefined : data?.pages.reduce((sum, page) => sum + (page.searched ?? 0), 0)
  return { rows, searched }
}

/** Returns the entries of a page, named below `folder`: folders first, then files. */
export function entriesOf({ data, folders = [] }: FileList, folder: string): readonly FileEntry[] {
  const nameOf = (path: string) => path.slice(folder.length)
  return [
    ...folders.map(({ path, files, bytes }) => ({
      kind: "folder" as const,
      name: nameOf(path.slice(0, -1)),
      path,
      files,
      size: bytes,
    })),
    ...data.map((file) => ({ kind: "file" as const, name: nameOf(file.path), path: file.path, file })),
  ]
}
