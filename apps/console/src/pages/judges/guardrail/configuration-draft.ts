import type { GuardrailConfiguration } from "@assay/schemas"

/** Returns the name of the draft of a configuration, which the editor keeps and the saved prompts are tried with. */
export function draftOfConfiguration({ workspace, name }: Pick<GuardrailConfiguration, "workspace" | "name">): string {
  return `guardrail.${workspace}/${name}`
}
