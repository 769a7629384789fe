import type { Context } from "../../context.ts"
import { openSides } from "./open-sides.ts"
import { runTransfer, type TransferFlags } from "./run-transfer.ts"
import { filesetSide } from "./side.ts"

/** `assay pull <fileset> <to>` */
export async function pull(context: Context, fileset: string, to: string, options: TransferFlags): Promise<void> {
  const from = filesetSide(context, fileset)
  await runTransfer(context, {
    verbs: ["pulled", "pull"],
    where: ({ source }) => `from ${source.name}`,
    flags: options,
    delete: false,
    open: (tools) => openSides(context, from, { kind: "local", written: to }, tools, options),
  })
}
