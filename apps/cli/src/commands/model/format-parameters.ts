import type { ModelSpec } from "@assay/schemas"

const UNITS = ["", " K", " M", " B", " T"]

/** `8,030,261,248 (8.03 B)` */
export function formatParameters({
  base_num_parameters: parameters,
  parameters_estimated,
}: Pick<ModelSpec, "base_num_parameters" | "parameters_estimated">): string {
  if (parameters === null) return "unknown"
  const exact = parameters.toLocaleString("en-US")
  const short = parameters < 1000 ? "" : ` (${shorten(parameters)})`
  return `${exact}${short}${parameters_estimated ? ", estimated from the config" : ""}`
}

function shorten(count: number): string {
  let step = Math.min(UNITS.length - 1, Math.floor(Math.log10(count) / 3))
  // Rounding must not show 1000 M for what is nearly a B.
  if (Number((count / 1000 ** step).toPrecision(3)) >= 1000 && step < UNITS.length - 1) step += 1
  return `${Number((count / 1000 ** step).toPrecision(3))}${UNITS[step]}`
}
