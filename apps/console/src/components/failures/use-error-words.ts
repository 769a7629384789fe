import { ERROR_CATALOGUE, type ErrorCode } from "@assay/schemas/errors"
import { useQuery } from "@tanstack/react-query"

export interface ErrorWords {
  readonly meaning: string
  readonly remedy?: string
}

const UNTIL_LOADED: ErrorWords = { meaning: "This did not work" }

/** Returns what a code means, and its remedy. The build keeps the words of the catalogue in a file that is loaded with the first error. */
export function useErrorWords(given: string | undefined): ErrorWords {
  // Codes of stored records can be those of another version.
  const code = given !== undefined && Object.hasOwn(ERROR_CATALOGUE, given) ? (given as ErrorCode) : undefined
  const kept: Partial<ErrorWords> =
    given === undefined ? UNKNOWN : code === undefined ? UNTIL_LOADED : ERROR_CATALOGUE[code]
  const { data } = useQuery({
    queryKey: ["part", "error-words"],
    queryFn: () => import("virtual:error-words"),
    enabled: kept.meaning === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  if (kept.meaning !== undefined) return { ...kept, meaning: kept.meaning }
  return (code === undefined ? undefined : data?.ERROR_WORDS[code]) ?? UNTIL_LOADED
}

const UNKNOWN: ErrorWords = { meaning: "Something in this page is wrong" }
