import type { ReactElement } from "react"
import { useIsFollowed } from "../../../api/followed-ends.ts"
import { useNotify } from "../../../components/notices.tsx"
import { canAnnounce, followEnd, unfollowEnd } from "./follow-end.ts"

/** Renders the button that announces the end of a job. Only its click asks the browser for a permission. */
export function FollowButton({ id }: { readonly id: string }): ReactElement | null {
  const isFollowed = useIsFollowed(id)
  const notify = useNotify()
  if (!canAnnounce()) return null
  const toggle = async () => {
    if (isFollowed) return unfollowEnd(id)
    const permission = await Notification.requestPermission()
    followEnd(id)
    if (permission !== "granted") {
      notify("This browser allows no notifications of this page. The title of its tab says when the job has ended.")
    }
  }
  return (
    <button type="button" aria-pressed={isFollowed} onClick={() => void toggle()}>
      {isFollowed ? "You are notified when it ends" : "Notify me when it ends"}
    </button>
  )
}
