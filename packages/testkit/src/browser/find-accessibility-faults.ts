import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly help: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

/**
 * Returns the serious and critical findings of axe-core on a page, one line each. `rules` names the rules
 * that are checked; default: those of WCAG 2.2, levels A and AA.
 * @throws if no rule applied to the page, so that an empty list means something
 */
export async function findAccessibilityFaults(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) {
    const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
    // The content security policy applies to scripts of the page, not to what the browser's own tools evaluate.
    await page.evaluate(source)
  }
  const options = JSON.stringify({ resultTypes: ["violations"], runOnly: rules ?? WCAG })
  const run = `axe.run(document, ${options}).then((results) => ({violations: results.violations, ran: results.passes.length}))`
  const { violations, ran } = await page.evaluate<AxeResults & { readonly ran: number }>(run)
  if (ran === 0) throw new Error("axe-core checked nothing on this page")
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ html, failureSummary = "" }) =>
          `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary.replaceAll(/\s+/g, " ")}`,
      ),
    )
}
