import { formatBytes, formatInteger } from "@assay/reports"
import type { ModelSpec } from "@assay/schemas"
import type { ReactElement } from "react"
import { TextField } from "../../../components/fields/text-field.tsx"
import { useSearchValue } from "../../../components/use-search-value.ts"
import { formatParameters } from "./format-parameters.ts"
import { cacheBytesOf } from "./key-value-cache.ts"
import { memoryByPrecision, USABLE } from "./memory-by-precision.ts"

/** GiB of GPUs that are sold. */
const GPU_SIZES = [24, 40, 48, 80, 96, 141, 192]
const FIRST_GPU = 80
const FIRST_CONTEXT = 8192

/** Shows the memory and the GPUs that a model needs for each precision. The address has the chosen values. */
export function GpuMemory({ spec }: { readonly spec: ModelSpec }): ReactElement {
  const [gpuText = String(FIRST_GPU), setGpu] = useSearchValue("gpu")
  const first = Math.min(FIRST_CONTEXT, spec.context_size ?? FIRST_CONTEXT)
  const [contextText = String(first), setContext] = useSearchValue("context")
  const [batchText = "1", setBatch] = useSearchValue("batch")
  const gpu = positiveNumberOr(gpuText, FIRST_GPU)
  const context = positiveNumberOr(contextText, first)
  const batch = positiveNumberOr(batchText, 1)
  const { base_num_parameters: parameters } = spec
  if (parameters === null) return <p className="soft">The number of parameters is not known.</p>
  const cacheBytes = cacheBytesOf(spec)
  const number = { inputMode: "numeric", size: 7 } as const
  return (
    <>
      <div className="actions serving">
        <TextField {...number} label="GiB of a GPU" value={gpuText} onChange={setGpu} list="gpu-sizes" />
        <datalist id="gpu-sizes">
          {GPU_SIZES.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </datalist>
        <TextField {...number} label="Tokens of a sequence" value={contextText} onChange={setContext} />
        <TextField {...number} label="Sequences at a time" value={batchText} onChange={setBatch} />
      </div>
      <table>
        <thead>
          <tr>
            <th>Precision</th>
            <th className="end">Weights</th>
            <th className="end">With cache</th>
            <th className="end">GPUs of {gpu} GiB</th>
          </tr>
        </thead>
        <tbody>
          {memoryByPrecision(parameters, cacheBytes, { gpu, context, batch }).map(
            ({ precision, weights, total, gpus }) => (
              <tr key={precision}>
                <td>{precision}</td>
                <td className="end">{formatBytes(weights)}</td>
                <td className="end">{cacheBytes === null ? "unknown" : formatBytes(total)}</td>
                <td className="end">{gpus}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
      <p className="soft">
        {formatParameters(parameters)} parameters
        {spec.parameters_estimated ? ", computed from the configuration" : ""}.{" "}
        {cacheBytes === null
          ? "The specification does not say how large the key-value cache is: it comes on top."
          : `The key-value cache has 16 bits for each number: ${formatBytes(cacheBytes * context * batch)} for ${formatInteger(context * batch)} tokens, without windows.`}{" "}
        Weights and cache fill at most {USABLE * 100} % of a GPU; the rest is for activations. The number of GPUs is a
        power of two, as tensor parallelism needs.
      </p>
    </>
  )
}

/** Returns a positive number, or `other` while none is written. */
function positiveNumberOr(text: string, other: number): number {
  const value = Number(text)
  return Number.isFinite(value) && value > 0 ? value : other
}
