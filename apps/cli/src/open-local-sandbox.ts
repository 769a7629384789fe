import { accessSync, constants } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"
import process from "node:process"
import type { HarnessSandbox, openContainerPrograms } from "@assay/harness"
import type { Context } from "./context.ts"

/** Opens the sandbox in which programs of models run on this machine. @throws `bad_settings` with the reason if there is none */
export async function openLocalSandbox({ platform }: Pick<Context, "platform">): Promise<HarnessSandbox> {
  // Imported late: no other command needs it.
  const { openHarnessSandbox } = await import("@assay/harness")
  return openHarnessSandbox({
    platform,
    uid: process.getuid?.() ?? 0,
    node: process.execPath,
    folders: [],
    hidden: [],
  })
}

type ContainerTool = Parameters<typeof openContainerPrograms>[0]["tool"]

/** The variables that docker and podman read. */
const TOOL_VARIABLES = /^(?:PATH|HOME|TMPDIR|XDG_.*|DOCKER_.*|CONTAINER_.*|CONTAINERS_.*)$/

/** Finds docker or podman on the `PATH`. Returns undefined if neither is there. */
export function findContainerTool({ env }: Pick<Context, "env">): ContainerTool {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder))
  for (const kind of ["docker", "podman"] as const) {
    const path = folders.map((folder) => join(folder, kind)).find(isExecutable)
    if (path === undefined) continue
    const variables = Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && TOOL_VARIABLES.test(entry[0]),
    )
    const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
    return { kind, path, variables: Object.fromEntries(variables), ...user, node: process.execPath }
  }
  return undefined
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
