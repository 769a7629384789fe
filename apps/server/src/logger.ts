import type { FastifyBaseLogger } from "fastify"
import { pino } from "pino"
import { PinoPretty } from "pino-pretty"
import type { Settings } from "./settings/settings-schema.ts"

const STDERR = 2

/** The server's log, on stderr: readable on a terminal, JSON lines elsewhere. Tokens in headers never show. */
export function createLogger(settings: Settings, isTerminal: boolean): FastifyBaseLogger {
  const format = settings.ASSAY_LOG_FORMAT ?? (isTerminal ? "pretty" : "json")
  const options = {
    level: settings.ASSAY_LOG_LEVEL,
    redact: ["req.headers.authorization", "headers.authorization"],
  }
  return format === "pretty"
    ? pino(options, PinoPretty({ ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss.l", destination: STDERR }))
    : pino(options, pino.destination(STDERR))
}
