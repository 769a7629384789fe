import type { ReactElement } from "react"

/** Says that something is on its way. It appears after a moment, so that fast answers don't flicker. */
export function Loading({ what = "Loading" }: { readonly what?: string }): ReactElement {
  return (
    <p className="loading" role="status">
      {what} …
    </p>
  )
}
