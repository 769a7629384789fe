import type { Context } from "../../context.ts"
import { openSides } from "./open-sides.ts"
import { runTransfer, type TransferFlags } from "./run-transfer.ts"
import { parseSide } from "./side.ts"

export interface SyncOptions extends TransferFlags {
  readonly delete?: boolean
}

/** `assay sync <from> <to>` */
export async function sync(context: Context, from: string, to: string, options: SyncOptions): Promise<void> {
  const [source, target] = [parseSide(context, from), parseSide(context, to)]
  await runTransfer(context, {
    verbs: ["synced", "sync"],
    where: (sides) => `to ${sides.target.name}`,
    flags: options,
    delete: options.delete === true,
    open: (tools) => openSides(context, source, target, tools, options),
  })
}
