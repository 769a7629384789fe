import { join, resolve } from "node:path"
import process from "node:process"
import type { HarnessSandbox } from "@assay/harness"
import type { ServerContext } from "../server-context.ts"

/**
 * Opens the sandbox of harnesses. Returns undefined if this server runs no harnesses, or if the operator trusts them.
 * @throws `bad_settings` if this machine supports no sandbox
 */
export async function openSandbox(
  { settings, cwd, logger }: ServerContext,
  hidden: readonly string[],
): Promise<HarnessSandbox | undefined> {
  const { ASSAY_HARNESS_ENVIRONMENT: environment, ASSAY_HARNESS_ISOLATION: isolation, ASSAY_ROLES: roles } = settings
  if (environment === undefined || !roles.includes("worker")) return undefined
  if (isolation === "trusted") {
    logger.warn("ASSAY_HARNESS_ISOLATION is trusted: commands of users run with all rights of the server's user")
    return undefined
  }
  const { openHarnessSandbox } = await import("@assay/harness")
  const sandbox = await openHarnessSandbox({
    platform: process.platform,
    uid: process.getuid?.() ?? 0,
    node: process.execPath,
    folders: settings.ASSAY_HARNESS_FOLDERS.map((folder) => resolve(cwd, folder)),
    hidden: [...hidden, ...SETTING_FILES.map((file) => join(cwd, file))],
  })
  logger.info(`harnesses run in a sandbox (${sandbox.kind})`)
  return sandbox
}

/** Returns whether only the workers of this server open a sandbox, because this process is not a worker. */
export function isSandboxElsewhere({ settings }: Pick<ServerContext, "settings">): boolean {
  const { ASSAY_HARNESS_ENVIRONMENT: environment, ASSAY_HARNESS_ISOLATION: isolation, ASSAY_ROLES: roles } = settings
  return environment !== undefined && isolation !== "trusted" && !roles.includes("worker")
}

const SETTING_FILES = [".env", "assay.config.json"]
