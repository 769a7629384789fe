import { type Telemetry, openTelemetry, readTelemetrySettings } from "@assay/telemetry"
import type { ServerContext } from "../server-context.ts"
import { readVersion } from "../version.ts"

/** Opens traces and metrics if the settings name a collector. @throws `bad_settings` */
export async function openServerTelemetry({ settings, logger }: ServerContext): Promise<Telemetry | undefined> {
  const found = readTelemetrySettings(settings, "assay-server")
  if (found === undefined) return undefined
  return openTelemetry(found, {
    version: readVersion(),
    onRefused: (signal, reason) =>
      logger.warn({ signal, reason }, `the collector takes no ${signal}; they are sent again, and dropped if it lasts`),
  })
}
