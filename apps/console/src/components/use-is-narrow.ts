import { useCallback, useSyncExternalStore } from "react"

const PHONE = 600

/** Returns whether the page has at most so many pixels. Default: those of a phone. */
export function useIsNarrow(pixels = PHONE): boolean {
  const media = `(max-width: ${pixels}px)`
  const subscribe = useCallback(
    (onChange: () => void) => {
      const query = matchMedia(media)
      query.addEventListener("change", onChange)
      return () => query.removeEventListener("change", onChange)
    },
    [media],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(media).matches)
}
