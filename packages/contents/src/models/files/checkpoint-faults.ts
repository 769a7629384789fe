import { AssayError } from "@assay/schemas"

/** So many faults are written out in a message. */
const SHOWN = 10

/** @throws `broken_checkpoint` that lists `faults`, each the beginning of a sentence, where there are any */
export function checkNoFaults(faults: readonly string[]): void {
  if (faults.length === 0) return
  const more = faults.length > SHOWN ? `; and ${faults.length - SHOWN} more` : ""
  const message = `The checkpoint is broken: ${faults.slice(0, SHOWN).join("; ")}${more}.`
  throw new AssayError("broken_checkpoint", message, { context: { faults: faults.length } })
}
