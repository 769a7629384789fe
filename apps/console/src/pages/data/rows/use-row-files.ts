import { useQuery } from "@tanstack/react-query"
import { useClient } from "../../../api/use-client.ts"
import { hasRows } from "../preview/preview-kind.ts"

const PAGE = 1000

/**
 * Reads the paths of files with rows, for a choice beside the rows of one of them: those of the first page with such a file, and the
 * file that is shown.
 */
export function useRowFiles(workspace: string, name: string, shown: string | undefined) {
  const client = useClient()
  return useQuery({
    queryKey: ["files", workspace, name, "rows", shown],
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      let page_token: string | undefined
      do {
        const position = page_token === undefined ? {} : { page_token }
        const page = await client.files.page(workspace, name, { limit: PAGE, ...position }, { signal })
        const paths = page.data.map(({ path }) => path).filter(hasRows)
        if (shown !== undefined) return paths.includes(shown) ? paths : [shown, ...paths]
        if (paths.length > 0) return paths
        page_token = page.next_page_token
      } while (page_token !== undefined)
      return []
    },
  })
}
