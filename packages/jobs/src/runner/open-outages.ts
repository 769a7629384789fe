import { createOutages, type Outages } from "@assay/storage"
import type { JobEnvironment } from "@assay/evaluation"
import type { JobLogLine } from "@assay/results"

/** Returns outages that a job outlasts. Its log says when one begins and ends. */
export type OpenOutages = (onLog: (line: JobLogLine) => void, hurry: AbortSignal) => Outages

/** Opens the outages of a job. `now` is for elapsed times. */
export function openOutages(
  { now, random, sleep }: Pick<JobEnvironment, "now" | "random" | "sleep">,
  ...[onLog, hurry]: Parameters<OpenOutages>
): Outages {
  return createOutages({
    now,
    random,
    sleep,
    hurry,
    onBegin: ({ message }) => onLog({ level: "warn", message: `The job waits for up to 10 minutes: ${message}` }),
    onEnd(milliseconds) {
      const seconds = (milliseconds / 1000).toFixed(1)
      onLog({ level: "warn", message: `The job continues after an outage of ${seconds} s.` })
    },
  })
}
