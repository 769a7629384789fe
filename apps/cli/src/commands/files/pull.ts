import type { Context } from "../../context.ts"
import { parseFileAddress } from "../../file-address.ts"
import { openFilesetSource } from "./open-fileset-source.ts"
import { openFolderTarget } from "./open-folder-target.ts"
import { runTransfer, type TransferFlags } from "./run-transfer.ts"

/** `assay pull <fileset> <folder>` */
export async function pull(context: Context, fileset: string, folder: string, options: TransferFlags): Promise<void> {
  const address = parseFileAddress(fileset, context)
  await runTransfer(context, {
    verbs: ["pulled", "pull"],
    where: ({ source }) => `from ${source.name}`,
    flags: options,
    delete: false,
    open: async (tools) => ({
      source: await openFilesetSource(context, address, tools),
      target: openFolderTarget(context, folder, tools, options),
    }),
  })
}
