import { parseArgs } from "node:util"
import { AssayError } from "@assay/schemas"

/** The request of a command line: help, or settings by name. */
export interface ServerWords {
  readonly help: boolean
  readonly env: Readonly<Record<string, string>>
}

/** The text of `npm start -- --help`. */
export const SERVER_USAGE = `Usage: npm start -- [--host <address>] [--port <number>] [--data-dir <folder>]

Runs a server here, as 'assay serve' does. Settings come from the environment, a .env file and assay.config.json.
The options take precedence over HOST, PORT and ASSAY_DATA_DIR. Port 0 is any free port.
`

/**
 * Reads the words that a server is started with, which are those of `assay serve`.
 *
 * @throws AssayError with code `bad_settings` for any other word, so that none is dropped in silence.
 */
export function readServerWords(words: readonly string[]): ServerWords {
  const { help = false, host, port, "data-dir": dataDir } = parse(words)
  return {
    help,
    env: {
      ...(host === undefined ? {} : { HOST: host }),
      ...(port === undefined ? {} : { PORT: port }),
      ...(dataDir === undefined ? {} : { ASSAY_DATA_DIR: dataDir }),
    },
  }
}

function parse(words: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        host: { type: "string" },
        port: { type: "string" },
        "data-dir": { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    })
    return values
  } catch (error) {
    throw new AssayError("bad_settings", `${(error as Error).message}\n\n${SERVER_USAGE}`)
  }
}
