import { withEventWord, type WireNames } from "@assay/schemas"
import { type followEvents, jobEventOf } from "./job-events.ts"

const COMMENT = ": \n\n"

/** Formats events as server-sent events (WHATWG HTML §9.2). Begins with a comment, so that the client knows at once that it is connected. */
export async function* formatEvents(
  events: ReturnType<typeof followEvents>,
  wireNames: WireNames,
): AsyncGenerator<string, void, undefined> {
  yield COMMENT
  for await (const stored of events) {
    if (stored === undefined) {
      yield COMMENT
      continue
    }
    const { id, event, data } = withEventWord(jobEventOf(stored), wireNames)
    yield `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
  }
}
