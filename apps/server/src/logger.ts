import { printableJson, visibleCharacter } from "@assay/schemas"
import type { FastifyBaseLogger } from "fastify"
import { pino, type DestinationStream } from "pino"
import { PinoPretty } from "pino-pretty"
import type { Settings } from "./settings/settings-schema.ts"

const STDERR = 2

/** Escapes in JSON of control characters except line feed and tab. An even number of backslashes before one is plain text. */
const ESCAPED_CONTROL =
  /(?<=(?<!\\)(?:\\\\)*)\\(?:[bfr]|u00[01][0-9a-f]|u007f|u00[89][0-9a-f]|u061c|u200[ef]|u202[89a-e]|u206[6-9])/gi

/** Replaces such escapes by `⟨U+202E⟩`, so that a parsed log line contains no control character. */
function showControls(line: string): string {
  return printableJson(line).replaceAll(ESCAPED_CONTROL, (escape) =>
    visibleCharacter(JSON.parse(`"${escape}"`) as string),
  )
}

/**
 * Creates the server's log on stderr: readable text on a terminal, with foreign control characters as `⟨U+202E⟩`, and JSON lines
 * elsewhere. It never contains tokens of headers.
 */
export function createLogger(settings: Settings, isTerminal: boolean): FastifyBaseLogger {
  const format = settings.ASSAY_LOG_FORMAT ?? (isTerminal ? "pretty" : "json")
  const options = {
    level: settings.ASSAY_LOG_LEVEL,
    redact: ["req.headers.authorization", "headers.authorization"],
  }
  return format === "pretty" ? pino(options, prettyStream()) : pino(options, pino.destination(STDERR))
}

function prettyStream(): DestinationStream {
  const pretty = PinoPretty({ ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss.l", destination: STDERR })
  return { write: (line) => void pretty.write(showControls(line)) }
}
