import type { Quantization } from "@assay/schemas"
import { isJsonObject, type JsonObject } from "@assay/json"
import { flagAt, numberAt, textAt, valueAt } from "./config-values.ts"

type Reading = Partial<Omit<Quantization, "method">>

/** Reads the numbers of each quantization method, by `quant_method`. */
const READINGS = new Map(
  Object.entries<(settings: JsonObject) => Reading>({
    gptq: (settings) => ({ ...plain(settings), format: textAt(settings, "checkpoint_format") ?? null }),
    awq: (settings) => ({
      format: textAt(settings, "version")?.toLowerCase() ?? null,
      bits: numberAt(settings, "bits") ?? numberAt(settings, "w_bit") ?? null,
      group_size: numberAt(settings, "group_size") ?? numberAt(settings, "q_group_size") ?? null,
    }),
    bitsandbytes: (settings) =>
      (flagAt(settings, "load_in_4bit") ?? flagAt(settings, "_load_in_4bit"))
        ? { bits: 4, format: textAt(settings, "bnb_4bit_quant_type") ?? "fp4", group_size: 64 }
        : { bits: 8, format: "int8" },
    fp8: (settings) => ({
      bits: 8,
      format: textAt(settings, "fmt") ?? null,
      group_size: blockSize(settings["weight_block_size"]),
    }),
    fbgemm_fp8: () => ({ bits: 8 }),
    mxfp4: () => ({ bits: 4, group_size: 32 }),
    bitnet: () => ({ bits: 2 }),
    eetq: () => ({ bits: 8 }),
    hqq: (settings) => ({
      bits: numberAt(settings, "quant_config.weight_quant_params.nbits") ?? null,
      group_size: numberAt(settings, "quant_config.weight_quant_params.group_size") ?? null,
    }),
    modelopt: (settings) => {
      const algorithm = textAt(settings, "quant_algo")?.toLowerCase() ?? null
      const bits = algorithm === null ? null : /4/.test(algorithm) ? 4 : 8
      return { bits, format: algorithm, group_size: numberAt(settings, "group_size") ?? (bits === 4 ? 16 : null) }
    },
    "compressed-tensors": (settings) => {
      const groups = Object.values(settings["config_groups"] ?? {}).filter(isJsonObject)
      const weights = groups.map((group) => group["weights"]).find(isJsonObject) ?? {}
      return { ...plain({ ...weights, bits: weights["num_bits"] }), format: textAt(settings, "format") ?? null }
    },
  }),
)

/**
 * Returns how the weights are packed, according to the config or a file that a tool stored beside it. Returns null if
 * neither says so.
 */
export function quantizationOf(config: JsonObject, packing: JsonObject | null): Quantization | null {
  const settings = [config["quantization_config"], config["compression_config"], config["quantization"]].find(
    isJsonObject,
  )
  if (settings !== undefined) return quantization(methodOf(settings), settings)
  if (packing === null) return null
  const inner = packing["quantization"]
  if (isJsonObject(inner)) return textAt(inner, "quant_algo") === undefined ? null : quantization("modelopt", inner)
  return quantization(methodOf(packing), packing)
}

function quantization(method: string, settings: JsonObject): Quantization {
  const reading = READINGS.get(method) ?? plain
  const { format = null, bits = null, group_size = null } = reading(settings)
  return { method, format, bits, group_size: group_size !== null && group_size > 0 ? group_size : null }
}

/** Returns the name of the method. Files of old tools, and of MLX, do not contain it. */
function methodOf(settings: JsonObject): string {
  const named = textAt(settings, "quant_method")?.toLowerCase()
  if (named !== undefined) return named
  if (valueAt(settings, "w_bit") !== undefined) return "awq"
  if (valueAt(settings, "desc_act") !== undefined) return "gptq"
  if (valueAt(settings, "load_in_4bit") !== undefined || valueAt(settings, "load_in_8bit") !== undefined)
    return "bitsandbytes"
  return Object.keys(settings).some((key) => key !== "bits" && key !== "group_size" && key !== "mode")
    ? "unknown"
    : "mlx"
}

/** Returns the last number of a list such as `[128, 128]`. */
function blockSize(sizes: unknown): number | null {
  const last: unknown = Array.isArray(sizes) ? sizes.at(-1) : null
  return typeof last === "number" ? last : null
}

function plain(settings: JsonObject): Reading {
  return { bits: numberAt(settings, "bits") ?? null, group_size: numberAt(settings, "group_size") ?? null }
}
