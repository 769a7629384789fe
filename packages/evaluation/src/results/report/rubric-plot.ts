import { html, type Html } from "@assay/guardrails"

/** How often each label came, as bars. */
export function rubricPlot(labels: Readonly<Record<string, number>>): Html {
  const entries = Object.entries(labels)
  const all = entries.reduce((sum, [, count]) => sum + count, 0)
  return html`<table class="rubric">
    <tbody>
      ${entries.map(
        ([label, count]) =>
          html`<tr>
            <th>${label}</th>
            <td>
              <span class="meter scored"
                ><i style="width:${all === 0 ? 0 : ((count / all) * 100).toFixed(1)}%"></i
              ></span>
            </td>
            <td class="number">${count.toLocaleString("en")}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}
