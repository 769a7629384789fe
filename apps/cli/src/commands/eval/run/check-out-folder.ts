import { existsSync } from "node:fs"
import { join } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "../../../output/printable.ts"
import { readRunRecord } from "./run-record.ts"

/**
 * Results may replace results, and nothing else: a project has folders of these names of its own.
 * @throws `path_conflict` where `config` or `results` are somebody else's
 */
export async function checkOutFolder(folder: string): Promise<void> {
  const isTaken = ["config", "results"].find((name) => existsSync(join(folder, name)))
  if (isTaken === undefined || existsSync(join(folder, "config", "pins.json"))) return
  if ((await readRunRecord(folder)) !== undefined) return
  const place = printable(folder)
  const message = `'${place}' has a folder '${isTaken}' that no evaluation wrote: give --out a folder of its own.`
  throw new AssayError("path_conflict", message)
}
