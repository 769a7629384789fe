import type { ReactElement } from "react"
import { relativeTime } from "./relative-time.ts"
import { useNow } from "./use-now.ts"

const EVERY_MS = 30_000

/** Renders a moment as the time since then, with the exact time on hover. It keeps itself up to date. */
export function Time({ at }: { readonly at: string | null | undefined }): ReactElement {
  const now = useNow(EVERY_MS)
  if (at === null || at === undefined) return <span className="soft">–</span>
  const moment = new Date(at)
  const exact = `${moment.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" })} (${at})`
  return (
    <time dateTime={at} title={exact}>
      {relativeTime(moment.getTime(), now)}
    </time>
  )
}
