import { resolve } from "node:path"
import type { Purpose } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { parseFileAddress } from "../../file-address.ts"
import { checkFolder } from "./check-folder.ts"
import { openFilesetTarget } from "./open-fileset-target.ts"
import { runTransfer, type TransferFlags } from "./run-transfer.ts"

export interface PushOptions extends TransferFlags {
  readonly purpose?: Purpose
}

/** `assay push <folder> <fileset>` */
export async function push(context: Context, folder: string, fileset: string, options: PushOptions): Promise<void> {
  const address = parseFileAddress(fileset, context)
  const root = resolve(context.cwd, folder)
  checkFolder(root)
  await runTransfer(context, {
    verbs: ["pushed", "push"],
    where: ({ target }) => `to ${target.name}`,
    flags: options,
    delete: false,
    open: async (tools) => {
      const { createFolderSide } = await import("../../transfer/folder-side.ts")
      const source = createFolderSide({ root, name: folder, cache: tools.cache, onSkip: tools.recorder.skip })
      return { source, target: await openFilesetTarget(context, address, tools, options) }
    },
  })
}
