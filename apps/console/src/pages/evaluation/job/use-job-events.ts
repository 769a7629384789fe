import type { JobEvent } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { useClient } from "../../../api/use-client.ts"
import { nextLive, NOTHING_YET, type LiveJob } from "./live-job.ts"

/** Events are shown together this often, in milliseconds: a browser can't draw thousands of them. */
const DRAWN_MS = 200

/** Follows the events of a job while it runs. Its record is read again when its status or its conditions change, and at its end. */
export function useJobEvents(id: string, isRunning: boolean): LiveJob {
  const client = useClient()
  const queries = useQueryClient()
  const [live, setLive] = useState(NOTHING_YET)
  useEffect(() => {
    if (!isRunning) return undefined
    const ending = new AbortController()
    let waiting: JobEvent[] = []
    const draw = () => {
      if (waiting.length === 0) return
      const events = waiting
      waiting = []
      setLive((before) => nextLive(before, events, Date.now()))
      if (events.some(({ event }) => event === "status" || event === "condition")) {
        void queries.invalidateQueries({ queryKey: ["jobs", id] })
      }
    }
    const timer = setInterval(draw, DRAWN_MS)
    const follow = async () => {
      try {
        for await (const event of client.evaluation.jobs.events(id, { signal: ending.signal })) waiting.push(event)
      } catch (error) {
        if (!ending.signal.aborted && !isAssayError(error)) throw error
      }
      draw()
      if (!ending.signal.aborted) await queries.invalidateQueries({ queryKey: ["jobs", id] })
    }
    void follow()
    return () => {
      ending.abort()
      clearInterval(timer)
    }
  }, [client, queries, id, isRunning])
  return live
}
