import { join } from "node:path"
import type { Context } from "./context.ts"

/** Returns the folder for this user's caches, which can be deleted at any time. */
export function cacheFolder({ env, home, platform }: Pick<Context, "env" | "home" | "platform">): string {
  const given = env["XDG_CACHE_HOME"] || (platform === "win32" ? env["LOCALAPPDATA"] : undefined)
  if (given !== undefined) return join(given, "assay")
  return platform === "darwin" ? join(home, "Library", "Caches", "assay") : join(home, ".cache", "assay")
}
