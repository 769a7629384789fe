import { formatCount } from "@assay/reports/terminal"
import { AssayError } from "@assay/schemas/errors"
import { copyFiles, type TransferLocation } from "@assay/transfer"
import type { Context } from "../../../context.ts"
import { openClient } from "../../../open-client.ts"
import { cacheFolder } from "../../files/copy.ts"

/** Files that are copied at the same time. */
const PARALLEL = 16

/** Copies recorded answers that the other side does not have. Returns their number. */
export async function copyAnswers(context: Context, from: TransferLocation, to: TransferLocation): Promise<number> {
  const { now, random, sleep, signal } = context
  const { report } = await copyFiles({
    from,
    to,
    delete: false,
    dryRun: false,
    parallel: PARALLEL,
    // Half-written answers have a number at their end.
    selection: { isSelected: (path) => path.endsWith(".json") },
    client: () => openClient(context),
    checkRowsOf: () => async () => {},
    listener: SILENT,
    cacheFolder: cacheFolder(context),
    now,
    random,
    sleep,
    signal,
  })
  const [failed] = report.failed
  if (failed === undefined) return report.files
  const message = `${formatCount(report.failed_count, "recorded answer")} could not be copied: ${failed.message}`
  throw new AssayError("transfer_incomplete", message)
}

const SILENT: Parameters<typeof copyFiles>[0]["listener"] = {
  onOpened: () => {},
  onTrouble: () => {},
  onCreated: () => {},
  onFound: () => {},
  onAllFound: () => {},
  onBytes: () => {},
  onSettled: () => {},
  onAction: () => {},
}
