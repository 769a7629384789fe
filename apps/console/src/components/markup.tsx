import type { Html } from "@assay/reports"
import type { ReactElement } from "react"

/** Renders what reports draw: its tag has escaped every value. `null` draws nothing. */
export function Markup({ of }: { readonly of: Html | null }): ReactElement | null {
  if (of === null) return null
  return <div className="drawn" dangerouslySetInnerHTML={{ __html: of.html }} />
}
