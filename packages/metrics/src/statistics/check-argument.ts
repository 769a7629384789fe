import { invalidRequest } from "@assay/schemas"

/** Throws an `invalid_request` that names the argument, its value and the rule, unless `holds`. */
export function checkArgument(holds: boolean, name: string, value: unknown, rule: string): void {
  if (!holds) throw invalidRequest([name], `'${String(value)}' is not possible; give ${rule}.`, "value_error")
}
