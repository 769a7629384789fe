import { type Telemetry, openTelemetry, readTelemetrySettings } from "@assay/telemetry"
import type { Context } from "../context.ts"
import { sayText } from "../output/write-text.ts"
import { readVersion } from "../read-version.ts"

/**
 * Runs a command with the traces and metrics of the collector that the environment names, and sends the last of them at its end, for at
 * most 2 seconds. Without a collector nothing is loaded. @throws `bad_settings`, and what `work` throws
 */
export async function withTelemetry<T>(
  { env, stderr }: Pick<Context, "env" | "stderr">,
  work: (telemetry: Telemetry | undefined) => Promise<T>,
): Promise<T> {
  const settings = readTelemetrySettings(env, "assay-cli")
  if (settings === undefined) return work(undefined)
  const telemetry = await openTelemetry(settings, {
    version: readVersion(),
    onRefused: (signal, reason) => sayText(stderr, `the collector takes no ${signal}: ${reason}\n`),
  })
  try {
    return await work(telemetry)
  } finally {
    await telemetry.close()
  }
}
