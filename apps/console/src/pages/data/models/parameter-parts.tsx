import { formatShare } from "@assay/reports"
import type { LinearLayer } from "@assay/schemas"
import type { ReactElement } from "react"
import { formatParameters } from "./format-parameters.ts"

export interface ParameterPartsProps {
  readonly layers: readonly LinearLayer[]
  readonly total: number | null
}

const MAX_PARTS = 14

/** Shows which layers hold the parameters of a model, the largest part first. */
export function ParameterParts({ layers, total }: ParameterPartsProps): ReactElement | null {
  if (layers.length === 0) return null
  const parts = layers
    .map(({ name, in_features, out_features, count }) => ({ name, size: in_features * out_features * count }))
    .toSorted((a, b) => b.size - a.size)
  const sum = parts.reduce((all, { size }) => all + size, 0)
  const whole = Math.max(total ?? 0, sum)
  const rest = whole - parts.slice(0, MAX_PARTS).reduce((all, { size }) => all + size, 0)
  const shown = [...parts.slice(0, MAX_PARTS), ...(rest > 0 ? [{ name: "everything else", size: rest }] : [])]
  return (
    <section className="card">
      <h2>Parameters by part</h2>
      <table>
        <thead>
          <tr>
            <th>Layers</th>
            <th className="end">Parameters</th>
            <th>Share</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, size }) => (
            <tr key={name}>
              <td className="mono">{name}</td>
              <td className="end">{formatParameters(size)}</td>
              <td className="share">
                {formatShare(size / whole)}
                <meter className="part" max={whole} value={size} aria-label={`Share of ${name}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
