import { resolve } from "node:path"
import { AssayError, PriceTable } from "@assay/schemas"
import { isAssayError, messageOf } from "@assay/schemas/errors"
import { readLocalText } from "@assay/storage"
import { Value } from "@sinclair/typebox/value"

/**
 * Reads the prices of models from the file that `--prices` or `ASSAY_PRICES_FILE` names, which is relative to `cwd`. Undefined without a file.
 * @throws `bad_settings` with the location of the first fault
 */
export async function readPrices(name: string | undefined, cwd: string): Promise<PriceTable | undefined> {
  if (name === undefined || name === "") return undefined
  // Most programs have no prices, and start without the parser of YAML.
  const { parseYaml } = await import("@assay/validation")
  try {
    const { value, locationOf } = parseYaml(await readLocalText(resolve(cwd, name)), name)
    const [fault] = Value.Errors(PriceTable, value)
    if (fault === undefined) return value as PriceTable
    throw new AssayError(
      "bad_settings",
      `${locationOf(fault.path)}: '${fault.path.slice(1).replaceAll("/", ".")}': ${fault.message}.`,
    )
  } catch (cause) {
    if (isAssayError(cause, "bad_settings")) throw cause
    const why = messageOf(cause)
    throw new AssayError("bad_settings", `The prices of models (--prices or ASSAY_PRICES_FILE) can't be read: ${why}`, {
      cause,
    })
  }
}
