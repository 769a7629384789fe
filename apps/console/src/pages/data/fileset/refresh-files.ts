import type { QueryClient } from "@tanstack/react-query"

/** Reads the files of a fileset again, and the numbers of files that its page and the lists of filesets show. */
export async function refreshFiles(queries: QueryClient, workspace: string, name: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ["files", workspace, name] }),
    queries.invalidateQueries({ queryKey: ["filesets"] }),
  ])
}
