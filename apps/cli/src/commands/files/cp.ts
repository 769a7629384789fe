import { AssayError } from "@assay/schemas/errors"
import type { Purpose } from "@assay/schemas"
import type { Context } from "../../context.ts"
import { openSides } from "./open-sides.ts"
import { runTransfer, type TransferFlags } from "./run-transfer.ts"
import { parseSide } from "./side.ts"

export interface CpOptions extends TransferFlags {
  readonly purpose?: Purpose
}

/** `assay cp <from> <to>`: files between filesets, or between a fileset and this machine. */
export async function cp(context: Context, from: string, to: string, options: CpOptions): Promise<void> {
  const [source, target] = [parseSide(context, from), parseSide(context, to)]
  if (source.kind === "local" && target.kind === "local") {
    const message = `'${from}' and '${to}' are both on this machine: name a fileset such as default/reviews on one side.`
    throw new AssayError("bad_usage", message)
  }
  await runTransfer(context, {
    verbs: ["copied", "copy"],
    where: (sides) => `to ${sides.target.name}`,
    flags: options,
    delete: false,
    open: (tools) => openSides(context, source, target, tools, options),
  })
}
