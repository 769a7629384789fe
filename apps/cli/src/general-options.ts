import { Writable } from "node:stream"
import type { Fetch } from "@assay/client"
import { messageOf } from "@assay/schemas/errors"
import type { GeneralOptions } from "./commands/action.ts"
import type { Context } from "./context.ts"
import { sayText } from "./output/write-text.ts"

/** Returns the context in which a command runs with the options that every command has. */
export function withGeneralOptions(context: Context, options: GeneralOptions): Context {
  const { server, quiet = false, verbose = false } = options
  return {
    ...context,
    ...(server === undefined ? {} : { env: { ...context.env, ASSAY_URL: server } }),
    // Notes of all commands go to stderr. Errors are printed with the context of the program.
    ...(quiet ? { stderr: new Writable({ write: (_text, _encoding, done) => done() }) } : {}),
    ...(verbose ? { traced: (fetch) => verboseFetch(fetch, context) } : {}),
  }
}

/** Returns a `fetch` that prints method, address, status and time of each request. No header is printed, so no token is. */
function verboseFetch(fetch: Fetch, { stderr, now }: Pick<Context, "stderr" | "now">): Fetch {
  return async (url, init) => {
    const start = now()
    const say = (end: string) => sayText(stderr, `${init.method} ${url}  ${end}, ${Math.round(now() - start)} ms\n`)
    try {
      const response = await fetch(url, init)
      say(String(response.status))
      return response
    } catch (error) {
      say(messageOf(error))
      throw error
    }
  }
}

/** Formats the causes of an error, the nearest first. Empty if it has none. */
export function formatCauses(error: unknown): string {
  const lines: string[] = []
  for (let cause = causeOf(error); cause !== undefined && lines.length < MAX_CAUSES; cause = causeOf(cause)) {
    lines.push(`caused by: ${messageOf(cause)}\n`)
  }
  return lines.join("")
}

const MAX_CAUSES = 10

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined
}
