import { useQuery } from "@tanstack/react-query"
import type * as fileTools from "./file/file-tools.ts"

/** The functions that read, change and complete evaluation files. */
export type FileTools = typeof fileTools

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
    queryFn: async (): Promise<FileTools> => {
      await painted()
      return import("./file/file-tools.ts")
    },
    staleTime: Infinity,
    gcTime: Infinity,
    retry: true,
    retryDelay: RETRY_MS,
  })
  return data
}
