import { type AssayError, invalidRequest } from "@assay/schemas"

/** Returns an `invalid_request` with the argument, its value and the rule. */
export function impossible(name: string, value: unknown, rule: string): AssayError {
  return invalidRequest([name], `'${String(value)}' is not possible; give ${rule}.`, "value_error")
}

/** Throws an {@link impossible} argument, unless `holds`. */
export function checkArgument(holds: boolean, name: string, value: unknown, rule: string): void {
  if (!holds) throw impossible(name, value, rule)
}

/** Throws an `invalid_request` unless `value` is above 0 and below 1. */
export function checkShare(name: string, value: number): void {
  checkArgument(value > 0 && value < 1, name, value, "a number between 0 and 1, such as 0.95")
}
