import { useNavigate, useSearch } from "@tanstack/react-router"
import { useCallback } from "react"

/** Returns one text of the address's search, and the function that changes it. Undefined removes it. */
export function useSearchValue(key: string): readonly [string | undefined, (value: string | undefined) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const value = search[key]
  const update = useCallback(
    (next: string | undefined) => {
      void navigate({
        to: ".",
        search: (before: object) => ({ ...before, [key]: next }),
        replace: true,
        resetScroll: false,
      })
    },
    [key, navigate],
  )
  return [typeof value === "string" || typeof value === "number" ? String(value) : undefined, update]
}
