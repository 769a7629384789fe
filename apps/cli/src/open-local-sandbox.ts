import process from "node:process"
import type { HarnessSandbox } from "@assay/harness"
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
