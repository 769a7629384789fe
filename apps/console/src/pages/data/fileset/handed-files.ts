import { useQueryClient, type QueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import type { DroppedFile } from "./dropped-files.ts"

const keyOf = (workspace: string, name: string) => ["handed-files", workspace, name]

/** Hands files to the page of a fileset that opens next, which uploads them. */
export function handFiles(
  queries: QueryClient,
  { workspace, name }: { readonly workspace: string; readonly name: string },
  files: readonly DroppedFile[],
): void {
  queries.setQueryData(keyOf(workspace, name), files)
}

/** Takes the files that another page handed to this fileset, once. */
export function useHandedFiles(workspace: string, name: string, take: (files: readonly DroppedFile[]) => void): void {
  const queries = useQueryClient()
  useEffect(() => {
    const key = keyOf(workspace, name)
    const handed = queries.getQueryData<readonly DroppedFile[]>(key)
    if (handed === undefined) return
    queries.removeQueries({ queryKey: key })
    take(handed)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- another `take` has nothing to take
  }, [queries, workspace, name])
}
