import type { Client } from "@assay/client"
import { isAssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { QueryObserver, type QueryClient } from "@tanstack/react-query"
import { followChanges } from "../../../api/follow-changes.ts"
import { onFollowed } from "../../../api/followed-ends.ts"
import { isUnreachable } from "../../../api/queries.ts"
import { endOf } from "../jobs/job-facts.ts"
import { nameOfJob } from "../jobs/job-names.ts"
import { canAnnounce, endFollowing, readFollowed } from "./follow-end.ts"
import { showUnseenTitle } from "./unseen-title.ts"

const LOCK = "assay.announcer"
/** A server can use the words of the first version, in lower case. */
const ENDED = /^(?:completed|failed|cancelled)$/iu

export interface AnnouncingParts {
  readonly client: Client
  readonly queries: QueryClient
  /** Ends the announcements of this tab. Another one goes on. */
  readonly signal: AbortSignal
}

/** Announces the end of followed jobs, if no other tab does: so each end is announced once. */
export async function announceEnds(parts: AnnouncingParts): Promise<void> {
  const { signal } = parts
  try {
    await navigator.locks.request(LOCK, { signal }, () => announce(parts))
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function announce({ client, queries, signal }: AnnouncingParts): Promise<void> {
  const watched = new Map<string, () => void>()
  const watch = (id: string) => {
    const observer = new QueryObserver(queries, {
      queryKey: ["jobs", id, "end"],
      queryFn: (call) => client.evaluation.jobs.status(id, { signal: call.signal }),
    })
    const look = ({ data, error }: ReturnType<typeof observer.getCurrentResult>) => {
      // A deleted job, or one of a user who has signed out.
      if (error !== null && !isUnreachable(error)) endFollowing(id)
      else if (data !== undefined && ENDED.test(data.status)) void tell(client, id)
    }
    watched.set(id, observer.subscribe(look))
    look(observer.getCurrentResult())
  }
  const update = () => {
    const ids = new Set(readFollowed())
    for (const [id, end] of watched) {
      if (ids.has(id)) continue
      end()
      watched.delete(id)
    }
    for (const id of ids) if (!watched.has(id)) watch(id)
  }
  const refresh = () => {
    for (const id of watched.keys()) void queries.invalidateQueries({ queryKey: ["jobs", id, "end"] })
  }
  // While somebody sees this tab, it hears what changes anyway.
  const endStream = followChanges(
    { onChanges: refresh, onSilence: () => {}, onRefused: () => {} },
    () => document.hidden,
  )
  const endFollowed = onFollowed(update)
  update()
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))
  endFollowed()
  endStream()
  for (const end of watched.values()) end()
}

/** Shows the end of a job once, in the title of this tab and as a notification. */
async function tell(client: Client, id: string): Promise<void> {
  if (!readFollowed().includes(id)) return
  endFollowing(id)
  const job = await client.evaluation.jobs.get(id).catch((error: unknown) => {
    if (isAssayError(error)) return undefined
    throw error
  })
  if (job === undefined) return
  const name = printable(nameOfJob(job))
  const ended = `${endOf(job)}: ${name}`
  showUnseenTitle(`${ended} · Assay`)
  if (!canAnnounce() || Notification.permission !== "granted") return
  try {
    const shown = new Notification(ended, { body: job.namespace, tag: id, icon: "/icon.svg" })
    shown.addEventListener("click", () => {
      shown.close()
      globalThis.open(`/jobs/${encodeURIComponent(id)}`)
    })
  } catch {
    // Some browsers of phones show notifications only for an app. The title has it.
  }
}
