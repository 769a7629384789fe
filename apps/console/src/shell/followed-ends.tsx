import { lazy, Suspense, type ReactElement } from "react"
import { useIsFollowed } from "../api/followed-ends.ts"

const EndAnnouncer = lazy(async () => ({
  default: (await import("../pages/evaluation/ends/end-announcer.tsx")).EndAnnouncer,
}))

/** Announces the ends of followed jobs. The code for it is loaded if there are any. */
export function FollowedEnds(): ReactElement | null {
  return useIsFollowed() ? (
    <Suspense>
      <EndAnnouncer />
    </Suspense>
  ) : null
}
