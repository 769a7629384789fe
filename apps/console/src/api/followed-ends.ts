import { useSyncExternalStore } from "react"

/** The jobs whose end this browser announces, as JSON. It is absent if there are none. */
export const FOLLOWED = "assay.followed"

/** Returns whether this browser announces the end of a job. Undefined asks for any job. */
export function useIsFollowed(id?: string): boolean {
  return useSyncExternalStore(onFollowed, () => {
    const text = localStorage.getItem(FOLLOWED)
    return text !== null && (id === undefined || text.includes(JSON.stringify(id)))
  })
}

/** Calls `work` after a change of the followed jobs in this tab or in another one. Returns a function that ends it. */
export function onFollowed(work: () => void): () => void {
  addEventListener("storage", work)
  return () => removeEventListener("storage", work)
}
