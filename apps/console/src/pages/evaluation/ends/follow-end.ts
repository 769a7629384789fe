import { FOLLOWED } from "../../../api/followed-ends.ts"

/** Whether the jobs that the user launches here are followed, because the user has asked for the end of one before. */
const ALWAYS = "assay.announces"
/** More are not followed: the browser asks about each of them. */
const MAX_FOLLOWED = 20

/** Returns whether this browser can show notifications. An address without TLS, other than that of this machine, has none. */
export function canAnnounce(): boolean {
  return "Notification" in globalThis && "locks" in navigator
}

/** Returns the ids of the jobs whose end is announced. */
export function readFollowed(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(FOLLOWED) ?? "[]")
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string").slice(-MAX_FOLLOWED) : []
  } catch {
    return []
  }
}

function keepFollowed(ids: readonly string[]): void {
  if (ids.length === 0) localStorage.removeItem(FOLLOWED)
  else localStorage.setItem(FOLLOWED, JSON.stringify(ids.slice(-MAX_FOLLOWED)))
  // Browsers tell only the other tabs.
  dispatchEvent(new Event("storage"))
}

/** Announces the end of a job, and of the jobs that the user launches from now on. */
export function followEnd(id: string): void {
  localStorage.setItem(ALWAYS, "")
  keepFollowed([...readFollowed().filter((other) => other !== id), id])
}

/** Announces the end of a job that the user has just launched, if the user has asked for that of another one. */
export function followLaunched(id: string): void {
  if (canAnnounce() && Notification.permission === "granted" && localStorage.getItem(ALWAYS) !== null) followEnd(id)
}

/** Does not announce the end of a job, and of those that the user launches from now on. */
export function unfollowEnd(id: string): void {
  localStorage.removeItem(ALWAYS)
  endFollowing(id)
}

/** Forgets a job that has ended. */
export function endFollowing(id: string): void {
  keepFollowed(readFollowed().filter((other) => other !== id))
}
