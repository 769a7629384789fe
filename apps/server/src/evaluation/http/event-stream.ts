import type { JobEvent } from "@assay/schemas"

export const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  // Proxies that collect an answer before they pass it on leave this one alone.
  "x-accel-buffering": "no",
} as const

const COMMENT = ": \n\n"

/** Events as the text of server-sent events (WHATWG HTML §9.2). Begins with a comment, so that the client knows at once that it is heard. */
export async function* eventStream(
  events: AsyncIterable<JobEvent | undefined>,
): AsyncGenerator<string, void, undefined> {
  yield COMMENT
  for await (const event of events) {
    yield event === undefined
      ? COMMENT
      : `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`
  }
}
