import { useQuery } from "@tanstack/react-query"

/** The functions that read, change and complete evaluation files. */
export type FileTools = typeof import("./file/file-tools.ts")

/** Loads the tools, or returns those that are loaded. */
export const loadFileTools = (): Promise<FileTools> => import("./file/file-tools.ts")

const RETRY_MS = 1000
/** A tab in the background is not painted. */
const UNPAINTED_MS = 100

/** Waits until the browser has painted what is rendered now. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, UNPAINTED_MS)
  })
}

/** Returns the tools when they are loaded, which begins after the first paint of the page. If the server is down, the load is retried until it is up again. */
export function useFileTools(): FileTools | undefined {
  const { data } = useQuery({
    queryKey: ["page", "file-tools"],
    queryFn: async () => {
      await painted()
      return loadFileTools()
    },
    staleTime: Infinity,
    gcTime: Infinity,
    retry: true,
    retryDelay: RETRY_MS,
  })
  return data
}
