import type { LaunchCheckOutcome } from "@assay/schemas"
import type { OnCheck } from "@assay/attempts"

/**
 * Runs checks, and yields server-sent events: `check` when a check begins and when it has ended, and finally `outcome`. The number of
 * events is bounded by the endpoints and datasets of a body.
 * @throws the error of `check`
 */
export function streamChecks(check: (onCheck: OnCheck) => Promise<LaunchCheckOutcome>): AsyncIterable<string> {
  let isRead = true
  return new ReadableStream<string>({
    start(stream) {
      const send = (event: string, data: unknown) => {
        if (isRead) stream.enqueue(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      }
      const run = async () => {
        try {
          send("outcome", await check((progress) => send("check", progress)))
          if (isRead) stream.close()
        } catch (error) {
          stream.error(error)
        }
      }
      // Not awaited, because a stream that starts cannot be read.
      void run()
    },
    cancel() {
      isRead = false
    },
  })
}
