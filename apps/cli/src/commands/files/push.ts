import type { Purpose } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { openSides } from "./open-sides.ts"
import { runTransfer, type TransferFlags } from "./run-transfer.ts"
import { filesetSide } from "./side.ts"

export interface PushOptions extends TransferFlags {
  readonly purpose?: Purpose
}

/** `assay push <from> <fileset>` */
export async function push(context: Context, from: string, fileset: string, options: PushOptions): Promise<void> {
  const to = filesetSide(context, fileset)
  await runTransfer(context, {
    verbs: ["pushed", "push"],
    where: ({ target }) => `to ${target.name}`,
    flags: options,
    delete: false,
    open: (tools) => openSides(context, { kind: "local", written: from }, to, tools, options),
  })
}
