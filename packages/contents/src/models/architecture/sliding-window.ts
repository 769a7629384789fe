import type { SlidingWindowConfig } from "@assay/schemas"
import type { JsonObject } from "../files/read-json-file.ts"
import { flagOf, numberOf, sizeOf, textsOf } from "./config-values.ts"

/** The window of the layers that have one; null where none does. */
export function slidingWindow(config: JsonObject): SlidingWindowConfig | null {
  const size = sizeOf(config, "window")
  if (size === undefined || flagOf(config, "use_sliding_window") === false) return null
  const types = textsOf(config, "layer_types")
  if (types !== undefined && !types.some((type) => /sliding|local|chunked/.test(type))) return null
  // Qwen2 switches it on for the layers from `max_window_layers` on.
  const layers = sizeOf(config, "layers")
  const from = numberOf(config, "max_window_layers")
  const isOn = types !== undefined || from === undefined || layers === undefined || from < layers
  return isOn ? { window_size: size } : null
}
