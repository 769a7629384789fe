import type { FastifyBaseLogger } from "fastify"
import { printableJson } from "@assay/schemas/printable"
import { pino, type DestinationStream } from "pino"
import { PinoPretty } from "pino-pretty"
import type { Settings } from "./settings/settings-schema.ts"

const STDERR = 2

/** Escapes in JSON of control characters but line feed and tab; an even number of backslashes before them is text. */
const ESCAPED_CONTROL = /(?<=(?<!\\)(?:\\\\)*)\\(?:[bfr]|u00[01][0-9a-f]|u007f|u00[89][0-9a-f]|u202[89a-e]|u206[6-9])/gi

/** Doubles the backslash of such escapes, so that whoever reads the line of JSON prints the escape and not the character. */
function showControls(line: string): string {
  return printableJson(line).replaceAll(ESCAPED_CONTROL, "\\$&")
}

/**
 * The server's log, on stderr: readable on a terminal, where control characters of others are shown as escapes, and JSON
 * lines elsewhere. Tokens in headers never show.
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
