import type { ReactElement } from "react"
import { relativeTime } from "./relative-time.ts"
import { useNow } from "./use-now.ts"

const EVERY_MS = 30_000

/** Renders a moment as the time since then, with the exact time on hover. It keeps itself up to date. */
export function Time({ at }: { readonly at: string | null | undefined }): ReactElement {
  if (at === null || at === undefined) return <span className="soft">–</span>
  // Another moment is measured from now, and not from when the one before was shown.
  return <Since key={at} at={at} />
}

function Since({ at }: { readonly at: string }): ReactElement {
  const now = useNow(EVERY_MS)
  const moment = new Date(at)
  const exact = `${moment.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" })} (${at})`
  return (
    <time dateTime={at} title={exact}>
      {relativeTime(moment.getTime(), now)}
    </time>
  )
}
